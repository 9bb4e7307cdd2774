/** Files of a finished run, spoiled one at a time: EVENKEEL_FUZZ_STORED of them (default: 500). */
import { expect, test } from 'vitest';
import { fuzzSeed } from '../../fuzz/malformed-files.ts';
import { faultsOfRun } from '../../fuzz/stored-files.ts';
import { smallRun } from '../../support/small-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const count = Number(process.env['EVENKEEL_FUZZ_STORED'] ?? 500);

test(`${count} spoiled files of a run are noticed (EVENKEEL_FUZZ_SEED=${fuzzSeed})`, {
  timeout: 1_200_000,
}, async () => {
  const folder = temporaryFolder();
  expect(await faultsOfRun(await smallRun(folder), folder, count)).toEqual([]);
});
