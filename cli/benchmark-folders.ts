/** Folders of the catalogue of public benchmarks and of the files that `fetch` downloads. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';

const candidates = ['../data/benchmarks', '../../data/benchmarks'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The first path is that of a clone, the second that of the published package. */
export const catalogueFolder: string = candidates.find((path) => existsSync(path)) ?? (candidates[0] as string);

/** The option, else `EVENKEEL_BENCHMARKS`, else `benchmarks` in the cache. */
export function benchmarksFolder(option: string | undefined): string {
  const set = option ?? process.env['EVENKEEL_BENCHMARKS'];
  return set === undefined || set === '' ? join(cacheFolder(process.env), 'benchmarks') : resolve(set);
}
