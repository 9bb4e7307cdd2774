/** Malformed files of every kind that a person brings, 900 of each (EVENKEEL_FUZZ_FILES sets another number). */
import { describe, expect, test } from 'vitest';
import { fileKinds } from '../fuzz/files.ts';
import { faultsOfReader, fuzzSeed } from '../fuzz/malformed-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const count = Number(process.env['EVENKEEL_FUZZ_FILES'] ?? 900);

describe(`${count} malformed files of each kind (EVENKEEL_FUZZ_SEED=${fuzzSeed})`, () => {
  test.each(fileKinds.map((kind) => [kind.name, kind] as const))('%s', { timeout: 600_000 }, async (_name, kind) => {
    expect(await faultsOfReader(kind, temporaryFolder(), count)).toEqual([]);
  });
});
