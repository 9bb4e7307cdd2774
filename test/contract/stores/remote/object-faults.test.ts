/** What a store of blobs in an S3 server promises when answers are lost, refused or late. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { BlobTakenError } from '../../../../activities/storage/blobs/blob-store.ts';
import { s3Blobs } from '../../../../activities/storage/s3/s3-blobs.ts';
import { sha256 } from '../../../../domain/ids.ts';
import { withFaults } from './object-proxy.ts';
import { newObjects, onObjects } from './on-objects.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (found: Uint8Array | null | undefined): string => new TextDecoder().decode(found ?? undefined);

function setForTest(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => void Object.assign(process.env, { [name]: before }));
}

onObjects('faults of an S3 server', () => {
  test('a blob whose answer was lost is stored once, and other bytes are still refused', async () => {
    const faults = await withFaults();
    const blobs = s3Blobs(newObjects());
    await blobs.putImmutable('first', bytes('one'), sha256(bytes('one')));
    faults.push('lost');
    await blobs.putImmutable('k', bytes('one'), sha256(bytes('one')));
    faults.push('lost');
    await expect(blobs.putImmutable('k', bytes('two'), sha256(bytes('two')))).rejects.toThrow(BlobTakenError);
    expect([faults.length, text(await blobs.get('k'))]).toEqual([0, 'one']);
  });

  // Red without the mark of the write: then the second try takes its own bytes for those of another.
  test('a change of a root whose answer was lost finds its own', async () => {
    const faults = await withFaults();
    const blobs = s3Blobs(newObjects());
    const first = await blobs.compareAndSwap('roots/r', null, bytes('one'));
    faults.push('lost');
    const second = await blobs.compareAndSwap('roots/r', first, bytes('two'));
    expect([faults.length, second]).toEqual([0, (await blobs.getRoot('roots/r'))?.etag]);
    faults.push('lost');
    expect(await blobs.compareAndSwap('roots/r', first, bytes('three'))).toBeNull();
    expect(text((await blobs.getRoot('roots/r'))?.bytes)).toBe('two');
  });

  test('what may pass is waited for: a server that is busy, a conflict, and an answer that is cut', async () => {
    const faults = await withFaults();
    const blobs = s3Blobs(newObjects());
    await blobs.putImmutable('first', bytes('one'), sha256(bytes('one')));
    faults.push({ status: 503 }, { status: 409 }, { status: 429 }, { status: 500 });
    const large = 'x'.repeat(1_000_000);
    await blobs.putImmutable('k', bytes(large), sha256(bytes(large)));
    faults.push('cut', 'lost', { status: 503 });
    expect(text(await blobs.get('k'))).toBe(large);
    faults.push({ status: 503 }, 'cut');
    expect(await blobs.list('')).toHaveLength(2);
    faults.push('changed', 'changed');
    expect(text(await blobs.get('k'))).toBe(large);
    expect(faults).toEqual([]);
  });

  // Red where a wrong checksum counts as no answer: then nobody can say which object is damaged.
  test('a damaged object is read as it is, and its bytes are not taken for those that it should have', async () => {
    const faults = await withFaults();
    const blobs = s3Blobs(newObjects());
    await blobs.putImmutable('k', bytes('one'), sha256(bytes('one')));
    faults.push('changed', 'changed', 'changed', 'changed');
    expect(text(await blobs.get('k'))).toBe('nne');
    expect(faults).toEqual([]);
  });

  test('what does not pass is said at once: a wrong key, a bucket that does not exist', async () => {
    const elsewhere = s3Blobs('s3://no-such-bucket/x');
    await expect(elsewhere.get('k')).rejects.toThrow(/^GET s3:\/\/no-such-bucket\/x\/k: HTTP 404 .*tried 1 time/);
    await expect(elsewhere.list('')).rejects.toThrow('NoSuchBucket');
    const store = newObjects();
    setForTest('AWS_SECRET_ACCESS_KEY', 'wrong');
    await expect(s3Blobs(store).get('k')).rejects.toThrow(/HTTP 403 .*tried 1 time/);
  });

  test('a store that ignores conditions is refused before anything is written', async () => {
    const written: string[] = [];
    const server = createServer((incoming, outgoing) => {
      written.push(incoming.url ?? '');
      incoming.resume().once('end', () => outgoing.writeHead(200, { etag: '"any"' }).end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    setForTest('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const blobs = s3Blobs('s3://bucket/p');
    const rule = 's3://bucket ignores If-None-Match on writes';
    await expect(blobs.putImmutable('k', bytes('one'), sha256(bytes('one')))).rejects.toThrow(rule);
    await expect(blobs.compareAndSwap('k', null, bytes('one'))).rejects.toThrow(rule);
    expect(new Set(written.map((url) => url.split('?')[0]))).toEqual(new Set(['/bucket/p/.conditions']));
  });

  test('an address of another form is refused', () => {
    for (const address of ['s3://', 's3:/bucket', 's3://Bucket/x', 's3://bucket/a b', 'https://bucket'])
      expect(() => s3Blobs(address), address).toThrow('expected s3://bucket/prefix');
  });
});
