import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createReferenceCache } from '../../../activities/judging/reference-cache.ts';
import { sha256 } from '../../../domain/ids.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('a stored record is found, also by another cache on the same folder', async () => {
  const folder = temporaryFolder();
  await createReferenceCache(folder).putFact('colour', '"green"');
  expect(await createReferenceCache(folder).getFact('colour')).toBe('"green"');
  expect(await createReferenceCache(folder).getFact('shape')).toBeUndefined();
});

it('a read-only folder disables the cache, not the run, and no half-written file stays', async () => {
  const folder = temporaryFolder();
  const key = sha256('colour');
  // The place of the file is taken by a folder, that of the other's folder by a file.
  mkdirSync(join(folder, key.slice(0, 2), `${key}.json.gz`), { recursive: true });
  writeFileSync(join(folder, sha256('shape').slice(0, 2)), '');
  const cache = createReferenceCache(folder);
  for (const name of ['colour', 'shape']) {
    await cache.putFact(name, '1');
    expect(await cache.getFact(name)).toBeUndefined();
  }
  expect(readdirSync(join(folder, key.slice(0, 2)))).toEqual([`${key}.json.gz`]);
});
