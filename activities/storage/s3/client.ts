/** A bucket of an S3-compatible store, `s3://bucket/prefix`; AWS_* variables name its endpoint, region and keys. */
import type { S3Client } from '@aws-sdk/client-s3';
import { InputError, MissingPartError } from '../../../domain/errors.ts';

type Library = typeof import('@aws-sdk/client-s3');

export interface Bucket {
  readonly library: Library;
  readonly client: S3Client;
}

export interface S3Address {
  readonly bucket: string;
  /** Empty, or ends with `/`. */
  readonly prefix: string;
}

/** Throws `InputError` for an address of another form. */
export function s3Address(blobs: string): S3Address {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./=@+-]*))?$/.exec(blobs) ?? [];
  if (bucket === undefined)
    throw new InputError(`invalid address of an object store: expected s3://bucket/prefix; got "${blobs}"`);
  const trimmed = prefix.replace(/^\/+|\/+$/g, '');
  return { bucket, prefix: trimmed === '' ? '' : `${trimmed}/` };
}

/** Throws `MissingPartError` if the library is missing. */
async function loadLibrary(): Promise<Library> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new MissingPartError(
      'an object store needs the package "@aws-sdk/client-s3", which is not installed: install it next to evenkeel ' +
        '(npm install @aws-sdk/client-s3), or unset EVENKEEL_BLOBS',
    );
  }
}

/** Of servers other than Amazon's; empty for Amazon's. */
const endpoint = (): string => process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'] ?? '';

/** For people. */
export const serverOf = (bucket: string): string => [endpoint(), `s3://${bucket}`].filter(Boolean).join(' ');

/** Requests are tried again by `retried.ts`, which knows which may be. */
export async function openBucket(): Promise<Bucket> {
  const library = await loadLibrary();
  const client = new library.S3Client({
    // Servers other than Amazon's rarely have a name for each bucket.
    forcePathStyle: endpoint() !== '',
    region: process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
    maxAttempts: 1,
    // A damaged object is read too, to be named and replaced: see `get` of objects.ts.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000 },
  });
  return { library, client };
}
