/** The folder of the runs. Its own file, so that `--help` need not load what reads runs. */
import { resolve } from 'node:path';

/** `--runs-dir`, else EVENKEEL_RUNS unless it is empty, else data/runs; absolute. */
export const runsDirOf = (flag: string | undefined): string =>
  resolve(flag ?? (process.env['EVENKEEL_RUNS'] || 'data/runs'));
