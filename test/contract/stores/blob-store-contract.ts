/** What every store of blobs promises, to one process and to several. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { BlobTakenError } from '../../../activities/storage/blobs/blob-store.ts';
import { sha256 } from '../../../domain/ids.ts';
import { openBlobs } from './blob-address.ts';

const child = fileURLToPath(new URL('./blob-process.ts', import.meta.url));

function start(...args: readonly (string | number)[]) {
  const other = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void other.kill('SIGKILL'));
  const said = once(other.stdout, 'data').then(([line]) => String(line).trim());
  return { other, said };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
// sha256sum of the three bytes "one".
const one = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed';

/** @param newAddress of a store without blobs; see `openBlobs` */
export function blobStoreContract(newAddress: () => string): void {
  test('an empty store has nothing', async () => {
    const blobs = openBlobs(newAddress());
    expect([await blobs.get('a'), await blobs.head('a'), await blobs.list('')]).toEqual([null, null, []]);
  });

  test('what is stored is read back by others, and listed by key', async () => {
    const address = newAddress();
    const blobs = openBlobs(address);
    await blobs.putImmutable('inputs/b', bytes('one'), one);
    await blobs.putImmutable('inputs/a', bytes('one'), one);
    await blobs.putImmutable('tables/page=1/x.parquet', bytes('one'), one);
    const other = openBlobs(address);
    expect(new TextDecoder().decode((await other.get('inputs/b')) ?? undefined)).toBe('one');
    const facts = await other.head('inputs/b');
    expect(facts).toMatchObject({ key: 'inputs/b', bytes: 3 });
    // S3 has whole seconds.
    expect(Math.abs((facts?.changedMs ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await other.list('inputs/b')).toEqual([facts]);
    expect((await other.list('inputs/')).map(({ key }) => key)).toEqual(['inputs/a', 'inputs/b']);
    expect((await other.list('')).map(({ key }) => key)).toEqual(['inputs/a', 'inputs/b', 'tables/page=1/x.parquet']);
    expect([await other.get('inputs'), await other.head('inputs')]).toEqual([null, null]);
  });

  test('a removed blob is gone, its key is free, and to remove it again is a success', async () => {
    const blobs = openBlobs(newAddress());
    await blobs.putImmutable('a/k', bytes('one'), one);
    await blobs.putImmutable('a/l', bytes('one'), one);
    await blobs.remove('a/k');
    await blobs.remove('a/k');
    await expect(blobs.remove('../k')).rejects.toThrow('invalid key');
    expect([await blobs.get('a/k'), (await blobs.list('')).map(({ key }) => key)]).toEqual([null, ['a/l']]);
    await blobs.putImmutable('a/k', bytes('two'), sha256(bytes('two')));
    expect(new TextDecoder().decode((await blobs.get('a/k')) ?? undefined)).toBe('two');
  });

  test('the same bytes again are a success; others are refused, and the first stay', async () => {
    const blobs = openBlobs(newAddress());
    await blobs.putImmutable('k', bytes('one'), one);
    await blobs.putImmutable('k', bytes('one'), one);
    await expect(blobs.putImmutable('k', bytes('two'), sha256(bytes('two')))).rejects.toThrow(BlobTakenError);
    expect(new TextDecoder().decode((await blobs.get('k')) ?? undefined)).toBe('one');
  });

  test('bytes that do not match their SHA-256 are not stored', async () => {
    const blobs = openBlobs(newAddress());
    await expect(blobs.putImmutable('k', bytes('two'), one)).rejects.toThrow('SHA-256');
    expect(await blobs.list('')).toEqual([]);
  });

  test('a key that leads elsewhere, or that some store cannot have, is refused', async () => {
    const blobs = openBlobs(newAddress());
    for (const key of ['', '/k', '../k', 'a/../k', 'a//k', '.hidden', 'a/.k', 'k.tmp', 'k/', 'a b', 'ä'])
      await expect(blobs.putImmutable(key, bytes('one'), one), key).rejects.toThrow('invalid key');
  });

  // Red if the folder renames its files into place: then a later one replaces an earlier one that was a success.
  test('of several that store different bytes under a key at once, one succeeds, and its bytes stay', async () => {
    const address = newAddress();
    const startMs = Date.now() + 1_500;
    const won = await Promise.all(
      ['x', 'y', 'z'].map(async (name) => {
        const keys = JSON.parse(await start('race', address, name, startMs, 100).said) as string[];
        return keys.map((key) => ({ key, name }));
      }),
    );
    const winners = new Map(won.flat().map(({ key, name }) => [key, name]));
    expect([won.flat().length, winners.size]).toEqual([100, 100]);
    const blobs = openBlobs(address);
    for (const [key, name] of winners)
      expect(new TextDecoder().decode((await blobs.get(key)) ?? undefined), key).toBe(name);
  });

  test('a process killed while it stores leaves no half of a blob', async () => {
    const address = newAddress();
    const { other, said } = start('fill', address);
    expect(await said).toBe('begun');
    await pause(100);
    other.kill('SIGKILL');
    await once(other, 'exit');
    const blobs = openBlobs(address);
    const stored = await blobs.list('inputs/');
    expect(stored.length).toBeGreaterThan(1);
    for (const { key } of stored) expect(`inputs/${sha256((await blobs.get(key)) ?? bytes(''))}.bin`).toBe(key);
  });

  test('a root changes only for whoever knows its mark', async () => {
    const address = newAddress();
    const [blobs, other] = [openBlobs(address), openBlobs(address)];
    expect(await blobs.getRoot('roots/r')).toBeNull();
    expect(await blobs.compareAndSwap('roots/r', '"none"', bytes('zero'))).toBeNull();
    const first = await blobs.compareAndSwap('roots/r', null, bytes('one'));
    expect(await other.getRoot('roots/r')).toEqual({ bytes: expect.anything(), etag: first });
    expect(await other.compareAndSwap('roots/r', null, bytes('two'))).toBeNull();
    const second = await other.compareAndSwap('roots/r', first, bytes('two'));
    expect(second).not.toBeNull();
    expect(await blobs.compareAndSwap('roots/r', first, bytes('three'))).toBeNull();
    const root = await blobs.getRoot('roots/r');
    expect([new TextDecoder().decode(root?.bytes), root?.etag]).toEqual(['two', second]);
    expect((await blobs.list('')).map(({ key }) => key)).toEqual(['roots/r']);
  });

  // Red in a folder without its lock, and on S3 without If-Match.
  test('no change of a root by several processes is lost', async () => {
    const address = newAddress();
    const counted = await Promise.all([1, 2, 3].map(() => start('count', address, 20).said));
    const all = counted.flatMap((line) => JSON.parse(line) as number[]).toSorted((one, next) => one - next);
    expect(all).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
  });
}
