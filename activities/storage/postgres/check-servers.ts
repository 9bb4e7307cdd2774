/** Round trips to the servers of a store, for `doctor`. */
import { s3Blobs } from '../s3/s3-blobs.ts';
import type { Patience } from '../s3/silence.ts';
import { postgresAddress } from './address.ts';
import { versionOf, migrations } from './migrations/versions.ts';
import { openSessions } from './sessions.ts';

/** What is there, in words; rejects with why the database cannot be used. One try: who asks wants to know at once. */
export async function checkStore(store: string): Promise<string> {
  const { name, schema } = postgresAddress(store);
  const session = await openSessions(store).alone();
  session.on('error', () => {});
  try {
    await session.connect();
    const startMs = performance.now();
    const version = await versionOf(session, schema);
    const tookMs = performance.now() - startMs;
    if (version !== migrations.length)
      throw new Error(
        `${name}: its tables have version ${version}, and this program needs ${migrations.length}; ` +
          (version < migrations.length ? 'run `evenkeel store prepare`' : 'use a newer program'),
      );
    return `${name}, tables of version ${version}, answered in ${tookMs.toFixed(1)} ms`;
  } finally {
    await session.end();
  }
}

/** Writes a small object and reads it back; rejects with why the object store cannot be used. */
export async function checkBlobs(address: string, patience?: Patience): Promise<string> {
  const blobs = s3Blobs(address, patience);
  const key = 'doctor/round-trip';
  const startMs = performance.now();
  const written = new TextEncoder().encode(new Date().toISOString());
  const before = await blobs.getRoot(key);
  await blobs.compareAndSwap(key, before?.etag ?? null, written);
  if ((await blobs.getRoot(key)) === null) throw new Error(`${blobs.placeOf(key)} was written and is not there`);
  return `${address}, wrote and read an object in ${(performance.now() - startMs).toFixed(0)} ms`;
}
