/**
 * Files of a finished run, damaged one at a time: EVENKEEL_FUZZ_STORED of them (default: 80).
 * test/soak/fuzz/spoiled-run.test.ts takes more.
 */
import { expect, test } from 'vitest';
import { fuzzSeed } from '../fuzz/malformed-files.ts';
import { faultsOfRun } from '../fuzz/stored-files.ts';
import { smallRun } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const count = Number(process.env['EVENKEEL_FUZZ_STORED'] ?? 80);

test(`${count} damaged files of a run are noticed (EVENKEEL_FUZZ_SEED=${fuzzSeed})`, { timeout: 300_000 }, async () => {
  const folder = temporaryFolder();
  expect(await faultsOfRun(await smallRun(folder), folder, count)).toEqual([]);
});
