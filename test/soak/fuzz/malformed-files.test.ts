/**
 * Malformed files of every kind that a person brings, and answers of an endpoint, 950 of each (EVENKEEL_FUZZ_FILES sets
 * another number).
 */
import { describe, expect, test } from 'vitest';
import { fileKinds } from '../../fuzz/files.ts';
import { faultsOfReader, fuzzSeed } from '../../fuzz/malformed-files.ts';
import { faultsOfProvider, openOddEndpoint } from '../../fuzz/malformed-replies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const count = Number(process.env['EVENKEEL_FUZZ_FILES'] ?? 950);

describe(`${count} malformed files of each kind (EVENKEEL_FUZZ_SEED=${fuzzSeed})`, () => {
  test.each(fileKinds.map((kind) => [kind.name, kind] as const))('%s', { timeout: 600_000 }, async (_name, kind) => {
    expect(await faultsOfReader(kind, temporaryFolder(), count)).toEqual([]);
  });

  test('answers of an endpoint', { timeout: 600_000 }, async () => {
    const endpoint = await openOddEndpoint();
    try {
      expect(await faultsOfProvider(endpoint, count)).toEqual([]);
    } finally {
      await endpoint.close();
    }
  });
});
