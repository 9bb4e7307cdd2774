/** What somebody has put in the place of a file. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../../../activities/storage/manifest-file.ts';
import { fileSha256 } from '../../../../activities/storage/files/file-sha256.ts';
import { folderCatalog } from '../../../../activities/storage/catalog/folder-catalog.ts';
import { verifyRun } from '../../../../activities/storage/verify/verify.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { manifest } from '../manifest-fixture.ts';

// Red before: to open a pipe waits for ever, and a folder ended with a stack trace that named no file.
test('a pipe or a folder in the place of a file is named, and not waited for', async () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [join(folder, 'manifest.json')]);
  mkdirSync(join(folder, 'part.parquet'));
  await expect(readManifest(folder)).rejects.toThrow(
    /manifest\.json: is a folder, a pipe or a device, not a file; remove it, then restore the file from a copy/,
  );
  expect(() => fileSha256(join(folder, 'part.parquet'))).toThrow(/part\.parquet: is a folder, a pipe or a device/);
  expect(await verifyRun(folder)).toMatchObject({ ok: false, problems: [expect.stringContaining('manifest.json')] });
});

test('a file with the name of a run is no run, and its name cannot be used', async () => {
  const runs = temporaryFolder();
  const catalog = folderCatalog(runs);
  writeFileSync(join(runs, 'notes'), 'x');
  await expect(catalog.find('notes')).rejects.toThrow('is a file, not a run');
  await expect(catalog.create('notes', async () => manifest)).rejects.toThrow('is a file, and a run is a folder');
  rmSync(join(runs, 'notes'));
  await catalog.create('notes', async () => ({ ...manifest, runId: 'notes' }));
});
