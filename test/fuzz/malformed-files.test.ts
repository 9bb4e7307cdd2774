/**
 * Malformed files of every kind that a person brings: EVENKEEL_FUZZ_FILES of each (default: 40).
 * test/soak/fuzz/malformed-files.test.ts takes more.
 */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fileKinds, fileOf } from './files.ts';
import { textOf } from './json-mutations.ts';
import { faultsOfReader, fuzzSeed } from './malformed-files.ts';

const count = Number(process.env['EVENKEEL_FUZZ_FILES'] ?? 40);

describe.each(fileKinds.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  test('a whole one is read', async () => {
    const file = fileOf(temporaryFolder(), kind);
    writeFileSync(file, textOf(kind.records));
    await expect(kind.read(file)).resolves.toBeDefined();
  });

  test(`${count} malformed ones (EVENKEEL_FUZZ_SEED=${fuzzSeed})`, { timeout: 30_000 + 200 * count }, async () => {
    expect(await faultsOfReader(kind, temporaryFolder(), count)).toEqual([]);
  });
});
