/** How long requests wait for an object store that takes connections and says nothing, or says it piece by piece. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { BlobStore } from '../../../activities/storage/blobs/blob-store.ts';
import { s3Blobs } from '../../../activities/storage/s3/s3-blobs.ts';

/** The blobs of a store that answers so, and what was said of waiting for it. */
async function blobsOf(answer: RequestListener, limitMs: number | null): Promise<{ blobs: BlobStore; said: string[] }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = { ...process.env };
  Object.assign(process.env, { AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  onTestFinished(() => {
    process.env = before;
    server.closeAllConnections();
    server.close();
  });
  const said: string[] = [];
  const say = (line: string): void => void said.push(line.replace(url, 'URL'));
  return { blobs: s3Blobs('s3://bucket/p', { limitMs, sayAfterMs: 500, sayEveryMs: 1_000, say }), said };
}

const took = async (work: Promise<unknown>): Promise<number> => {
  const startMs = performance.now();
  await work.catch(() => {});
  return performance.now() - startMs;
};

test('all requests together wait no longer than the limit, and say so; a later one tries again', async () => {
  let isSilent = true;
  const { blobs, said } = await blobsOf((_, outgoing) => void (isSilent || outgoing.end('bytes')), 2_000);
  const all = ['a', 'b', 'c'].map((key) => blobs.get(key));
  expect(await took(Promise.allSettled(all))).toBeLessThan(4_000);
  for (const get of all)
    await expect(get).rejects.toThrow(
      /^the store cannot be used: GET s3:\/\/bucket\/p\/[abc]: no answer of \S+ s3:\/\/bucket for 2 s; check that/,
    );
  const line = (seconds: number): string =>
    `waiting for the object store URL s3://bucket, since ${seconds} s (at most 2 s)`;
  expect(said).toEqual([line(1), line(2)]);
  isSilent = false;
  expect(new TextDecoder().decode((await blobs.get('d')) ?? undefined)).toBe('bytes');
});

// Red where only whole answers count: large objects take long.
test('a body that comes piece by piece is waited for, also beyond the limit', async () => {
  const inPieces = async (outgoing: ServerResponse): Promise<void> => {
    for (let piece = 0; piece < 8; piece += 1) {
      outgoing.write('piece ');
      await sleep(300);
    }
    outgoing.end();
  };
  const { blobs } = await blobsOf((_, outgoing) => void inPieces(outgoing), 1_500);
  expect((await blobs.get('k'))?.length).toBe(8 * 'piece '.length);
});

test('without a limit it is said, and waited for', async () => {
  const { blobs, said } = await blobsOf((_, outgoing) => void sleep(2_300).then(() => outgoing.end('late')), null);
  expect((await blobs.get('k'))?.length).toBe(4);
  expect(said[0]).toMatch(/^waiting for the object store URL s3:\/\/bucket, since 1 s \(at most 552 s\)$/);
  expect(said.length).toBe(2);
});
