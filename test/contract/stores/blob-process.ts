/**
 * Stores blobs. `race ADDRESS NAME MS KEYS` stores its name under KEYS keys, one each 5 ms from a moment on, and prints
 * the keys that it got; `fill ADDRESS` stores large blobs until it is killed, and prints when it begins;
 * `count ADDRESS TIMES` adds to a number in a root, and prints what it got.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { BlobTakenError } from '../../../activities/storage/blobs/blob-store.ts';
import { sha256 } from '../../../domain/ids.ts';
import { openBlobs } from './blob-address.ts';

const [how = '', address = '', name = '', startMs, keys] = process.argv.slice(2);
const blobs = openBlobs(address);
const put = (key: string, bytes: Uint8Array): Promise<void> => blobs.putImmutable(key, bytes, sha256(bytes));

async function race(): Promise<void> {
  const won: string[] = [];
  for (let place = 0; place < Number(keys); place += 1) {
    const key = `race/${place}`;
    await pause(Math.max(0, Number(startMs) + 5 * place - Date.now()));
    try {
      await put(key, new TextEncoder().encode(name));
      won.push(key);
    } catch (error) {
      if (!(error instanceof BlobTakenError)) throw error;
    }
  }
  process.stdout.write(`${JSON.stringify(won)}\n`);
}

async function fill(): Promise<void> {
  for (let place = 0; ; place += 1) {
    const bytes = new Uint8Array(2_000_000).fill(place % 256);
    await put(`inputs/${sha256(bytes)}.bin`, bytes);
    if (place === 1) process.stdout.write('begun\n');
  }
}

async function count(): Promise<void> {
  const got: number[] = [];
  while (got.length < Number(name)) {
    const root = await blobs.getRoot('roots/count');
    const next = root === null ? 1 : Number(new TextDecoder().decode(root.bytes)) + 1;
    const etag = await blobs.compareAndSwap('roots/count', root?.etag ?? null, new TextEncoder().encode(String(next)));
    if (etag !== null) got.push(next);
  }
  process.stdout.write(`${JSON.stringify(got)}\n`);
}

await { race, fill, count }[how as 'race' | 'fill' | 'count']();
