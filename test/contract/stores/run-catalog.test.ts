import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderCatalog } from '../../../activities/storage/catalog/folder-catalog.ts';
import { lockPath, ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCatalogContract } from './run-catalog-contract.ts';

runCatalogContract(() => join(temporaryFolder(), 'runs'));

test('a folder with the files of a run but no manifest is broken, and others are none of its runs', async () => {
  const runs = temporaryFolder();
  mkdirSync(join(runs, 'broken', 'inputs'), { recursive: true });
  for (const name of ['notes', '.temporal']) mkdirSync(join(runs, name));
  const catalog = folderCatalog(runs);
  expect([await catalog.ids(), await catalog.brokenIds()]).toEqual([[], ['broken']]);
  await expect(catalog.find('broken')).rejects.toThrow('has no manifest.json, so it is not a run');
});

test('checking a run without an owner leaves no files, and an error does not count as an owner', async () => {
  const folder = temporaryFolder();
  expect(await ownerLock(folder).isOwned()).toBe(false);
  expect(existsSync(lockPath(folder))).toBe(false);
  await expect(ownerLock(join(folder, 'none')).take()).rejects.toThrow('unable to open database file');
});

test('a lock file with other content is named, with the remedy', async () => {
  const folder = temporaryFolder();
  writeFileSync(lockPath(folder), 'garbage '.repeat(1000));
  const rule = /owner\.lock: must be an empty SQLite file .* has other content \(file is not a database\); .*remove it/;
  await expect(ownerLock(folder).take()).rejects.toThrow(rule);
  await expect(ownerLock(folder).isOwned()).rejects.toThrow(rule);
});
