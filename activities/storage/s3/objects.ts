/** Requests to one prefix of a bucket. Each may be sent several times until it is answered. */
import type { HeadObjectCommandOutput, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import { sha256 as sha256Of } from '../../../domain/ids.ts';
import type { BlobFacts, Root } from '../blobs/blob-store.ts';
import { type Bucket, openBucket, type S3Address, serverOf } from './client.ts';
import { isDamaged, isMissing, isRefused, retried, triesMs } from './retried.ts';
import { type Patience, type Silence, silenceOf } from './silence.ts';

interface Condition {
  readonly IfNoneMatch?: '*';
  readonly IfMatch?: string;
  readonly Metadata?: Readonly<Record<string, string>>;
}

export interface Objects {
  /** The new ETag; null if the condition does not hold. */
  put(key: string, bytes: Uint8Array, condition: Condition): Promise<string | null>;
  /** Of a damaged object, the bytes that the store has. */
  get(key: string): Promise<Root | null>;
  head(key: string): Promise<BlobFacts | null>;
  /** The ETag of the object if it is of this write; else null. */
  etagOfWrite(key: string, write: string): Promise<string | null>;
  /** In no order. */
  list(start: string): Promise<BlobFacts[]>;
  /** Does nothing if there is none. */
  remove(key: string): Promise<void>;
}

export function objectsOf(address: S3Address, patience: Patience): Objects {
  const place = placeIn(address, patience);
  const look = (key: string) => lookAt(place, key);
  return {
    put: (key, bytes, condition) => put(place, key, bytes, condition),
    get: (key) => get(place, key),
    async head(key) {
      const found = await look(key);
      return found === null ? null : factsOf(key, found.ContentLength, found.LastModified);
    },
    async etagOfWrite(key, write) {
      const found = await look(key);
      return found?.Metadata?.['write'] === write ? (found.ETag ?? null) : null;
    },
    list: (start) => list(place, start),
    remove: (key) => remove(place, key),
  };
}

interface Place {
  readonly prefix: string;
  open(): Promise<Bucket>;
  nameOf(key: string): { readonly Bucket: string; readonly Key: string };
  /** For people. */
  said(verb: string, key: string): string;
  readonly silence: Silence;
}

function placeIn({ bucket, prefix }: S3Address, patience: Patience): Place {
  let opened: Promise<Bucket> | undefined;
  return {
    prefix,
    open: () => (opened ??= openBucket()),
    nameOf: (key) => ({ Bucket: bucket, Key: prefix + key }),
    said: (verb, key) => `${verb} s3://${bucket}/${prefix}${key}`,
    silence: silenceOf(serverOf(bucket), patience, triesMs),
  };
}

async function put(place: Place, key: string, bytes: Uint8Array, condition: Condition): Promise<string | null> {
  const { client, library } = await place.open();
  const checksum = Buffer.from(sha256Of(bytes), 'hex').toString('base64');
  const command = { ...place.nameOf(key), Body: bytes, ChecksumSHA256: checksum, ...condition };
  return nullIf(isRefused, async () => {
    const { ETag } = await retried(place.said('PUT', key), place.silence, (abortSignal) =>
      client.send(new library.PutObjectCommand(command), { abortSignal }),
    );
    return ETag ?? '';
  });
}

const get = (place: Place, key: string): Promise<Root | null> =>
  read(place, key, { ChecksumMode: 'ENABLED' }).catch((error: unknown) => {
    if (!isDamaged(error)) throw error;
    return read(place, key, {});
  });

async function read(place: Place, key: string, how: { readonly ChecksumMode?: 'ENABLED' }): Promise<Root | null> {
  const { client, library } = await place.open();
  const command = { ...place.nameOf(key), ...how };
  return nullIf(isMissing, () =>
    // With the body: one that is cut, or whose checksum is wrong, is asked for again.
    retried(place.said('GET', key), place.silence, async (abortSignal, heard) => {
      const { Body, ETag = '' } = await client.send(new library.GetObjectCommand(command), { abortSignal });
      heard();
      return { bytes: await bytesOf(Body as AsyncIterable<Uint8Array> | undefined, heard), etag: ETag };
    }),
  );
}

/** @param heard called with each piece: a large body may take long */
async function bytesOf(body: AsyncIterable<Uint8Array> | undefined, heard: () => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) {
    heard();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function lookAt(place: Place, key: string): Promise<HeadObjectCommandOutput | null> {
  const { client, library } = await place.open();
  const command = { ...place.nameOf(key), ChecksumMode: 'ENABLED' } as const;
  return nullIf(isMissing, () =>
    retried(place.said('HEAD', key), place.silence, (abortSignal) =>
      client.send(new library.HeadObjectCommand(command), { abortSignal }),
    ),
  );
}

async function list(place: Place, start: string): Promise<BlobFacts[]> {
  const { client, library } = await place.open();
  const { Bucket, Key: Prefix } = place.nameOf(start);
  const found: BlobFacts[] = [];
  for (let token: string | undefined, more = true; more; ) {
    const command = { Bucket, Prefix, ContinuationToken: token };
    const page: ListObjectsV2CommandOutput = await retried(place.said('LIST', start), place.silence, (abortSignal) =>
      client.send(new library.ListObjectsV2Command(command), { abortSignal }),
    );
    for (const { Key = '', Size, LastModified } of page.Contents ?? [])
      found.push(factsOf(Key.slice(place.prefix.length), Size, LastModified));
    token = page.NextContinuationToken;
    more = page.IsTruncated === true && token !== undefined;
  }
  return found;
}

const factsOf = (key: string, bytes = 0, changed?: Date): BlobFacts => ({
  key,
  bytes,
  // Without a time it is new: nothing removes it for its age.
  changedMs: changed?.getTime() ?? Number.POSITIVE_INFINITY,
});

async function remove(place: Place, key: string): Promise<void> {
  const { client, library } = await place.open();
  await nullIf(isMissing, () =>
    retried(place.said('DELETE', key), place.silence, (abortSignal) =>
      client.send(new library.DeleteObjectCommand(place.nameOf(key)), { abortSignal }),
    ),
  );
}

async function nullIf<T>(isNull: (error: unknown) => boolean, request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (error) {
    if (isNull(error)) return null;
    throw error;
  }
}
