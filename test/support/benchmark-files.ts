/**
 * Public benchmark files, if the machine has them. Otherwise tests that need one are skipped, with the reason in their
 * name.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env['EVENKEEL_BENCHMARK_FILES'] ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data');

export interface BenchmarkFile {
  readonly path: string;
  readonly isThere: boolean;
  /** Ends a test's name; says why it is skipped. */
  readonly note: string;
}

export function benchmarkFile(...parts: readonly string[]): BenchmarkFile {
  const path = join(folder, ...parts);
  const isThere = existsSync(path);
  return {
    path,
    isThere,
    note: isThere ? '' : ` (skipped: ${parts.join('/')} is not here, set EVENKEEL_BENCHMARK_FILES)`,
  };
}
