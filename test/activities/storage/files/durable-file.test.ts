import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createFileDurably,
  nodeDisk,
  stageFile,
  writeFileDurably,
} from '../../../../activities/storage/files/durable-file.ts';
import type { Disk } from '../../../../activities/storage/files/durable-file.ts';
import { newFolder } from '../ledger/ledger-fixture.ts';

const bytes = new TextEncoder().encode('contents');

/** The real disk, with a list of what was asked of it: `<operation> <file or folder>`. */
function watchedDisk(folder: string): { disk: Disk; events: string[] } {
  const events: string[] = [];
  const names = new Map<number, string>();
  const nameOf = (path: unknown): string => {
    const text = String(path);
    return text === folder ? 'folder' : text.endsWith('.tmp') ? 'aside' : 'file';
  };
  const disk = {
    ...nodeDisk,
    openSync: ((path, flags) => {
      const descriptor = nodeDisk.openSync(path, flags);
      names.set(descriptor, nameOf(path));
      return descriptor;
    }) as Disk['openSync'],
    writeSync: ((descriptor: number, data: Uint8Array, offset: number) => {
      events.push(`write ${names.get(descriptor)}`);
      return nodeDisk.writeSync(descriptor, data, offset);
    }) as Disk['writeSync'],
    fsync: ((descriptor, done) => {
      nodeDisk.fsync(descriptor, (error) => {
        events.push(`fsync ${names.get(descriptor)}`);
        done(error);
      });
    }) as Disk['fsync'],
    fsyncSync: ((descriptor) => {
      events.push(`fsync ${names.get(descriptor)}`);
      nodeDisk.fsyncSync(descriptor);
    }) as Disk['fsyncSync'],
    renameSync: ((from, to) => {
      events.push(`rename ${nameOf(from)} to ${nameOf(to)}`);
      nodeDisk.renameSync(from, to);
    }) as Disk['renameSync'],
  };
  return { disk, events };
}

// Red without either `fsyncSync` in durable-file.ts: the first keeps the contents, the second the name.
test('contents are on disk before the name, and the name before the call returns', () => {
  const folder = newFolder();
  const { disk, events } = watchedDisk(folder);
  writeFileDurably(join(folder, 'a.json'), bytes, disk);
  expect(events).toEqual(['write aside', 'fsync aside', 'rename aside to file', 'fsync folder']);
  expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('contents');
});

// Red without `fsync` in `stageFile`, and without the check in `publish`.
test('a staged file is published once its contents are on disk, and not before', async () => {
  const folder = newFolder();
  const { disk, events } = watchedDisk(folder);
  const staged = stageFile(join(folder, 'a.parquet'), bytes, disk);
  expect(() => staged.publish()).toThrow('a.parquet must not be published before its bytes are on disk');
  await staged.durable;
  staged.publish();
  expect(events).toEqual(['write aside', 'fsync aside', 'rename aside to file', 'fsync folder']);
});

test('a staged file that cannot be written to disk is never published', async () => {
  const folder = newFolder();
  const broken: Disk = { ...nodeDisk, fsync: ((_descriptor, done) => done(new Error('EIO'))) as Disk['fsync'] };
  const staged = stageFile(join(folder, 'a.parquet'), bytes, broken);
  await expect(staged.durable).rejects.toThrow('EIO');
  expect(() => staged.publish()).toThrow('before its bytes are on disk');
  staged.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that cannot be written leaves nothing', () => {
  const folder = newFolder();
  const full = {
    ...nodeDisk,
    writeSync: (() => {
      throw new Error('ENOSPC');
    }) as Disk['writeSync'],
  };
  expect(() => stageFile(join(folder, 'a.parquet'), bytes, full)).toThrow('ENOSPC');
  expect(() => writeFileDurably(join(folder, 'a.json'), bytes, full)).toThrow('ENOSPC');
  expect(() => createFileDurably(join(folder, 'b.json'), bytes, full)).toThrow('ENOSPC');
  expect(readdirSync(folder)).toEqual([]);
});

test('a disk that accepts a few bytes at a time gets them all', () => {
  const folder = newFolder();
  const slow = {
    ...nodeDisk,
    writeSync: ((descriptor: number, data: Uint8Array, offset: number) =>
      nodeDisk.writeSync(descriptor, data, offset, 3)) as Disk['writeSync'],
  };
  writeFileDurably(join(folder, 'a.json'), bytes.subarray(0, 6), slow);
  expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('conten');
});

test('a staged file has a name that readers ignore, and is gone when it is discarded', async () => {
  const folder = newFolder();
  const first = stageFile(join(folder, 'a.parquet'), bytes);
  const second = stageFile(join(folder, 'a.parquet'), bytes);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(readdirSync(folder).every((name) => name.endsWith('.tmp'))).toBe(true);
  first.discard();
  await second.durable;
  second.publish();
  expect(readdirSync(folder)).toEqual(['a.parquet']);
  expect(existsSync(join(folder, 'a.parquet'))).toBe(true);
});
