/** Downloads one file with a known checksum. Keeps received bytes, so that an interrupted download can continue. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError, MissingPartError } from '../../domain/errors.ts';
import { makeFolder } from '../storage/files/make-folder.ts';

export interface RemoteFile {
  readonly url: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export type FetchEnd = 'downloaded' | 'there already';

/** A download fails after this long without a byte. */
const quietLimitMs = 60_000;

/**
 * Downloads the file to `path`. Throws `InputError` if the download or an existing file at `path` has another checksum;
 * `MissingPartError` if the source cannot be reached or the transfer breaks off.
 */
export async function fetchFile(remote: RemoteFile, path: string): Promise<FetchEnd> {
  if ((await sizeOf(path)) !== null) {
    await checkFile(path, remote, `differs from the source's file: move it away, then fetch again`);
    return 'there already';
  }
  makeFolder(dirname(path));
  const partial = `${path}.part`;
  if (((await sizeOf(partial)) ?? 0) < remote.bytes) await download(remote, partial);
  try {
    await checkFile(
      partial,
      remote,
      `${remote.url} returned another file: the source or something in between changed it`,
    );
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await rename(partial, path);
  return 'downloaded';
}

async function sizeOf(path: string): Promise<number | null> {
  return await stat(path).then(
    ({ size }) => size,
    () => null,
  );
}

/** Appends the missing bytes; a source without range support sends the whole file again. */
async function download({ url }: RemoteFile, partial: string): Promise<void> {
  const from = (await sizeOf(partial)) ?? 0;
  try {
    const quiet = new AbortController();
    const timer = setTimeout(() => quiet.abort(new Error(`no byte for ${quietLimitMs / 1000} s`)), quietLimitMs);
    try {
      const response = await fetch(url, {
        signal: quiet.signal,
        headers: from === 0 ? {} : { range: `bytes=${from}-` },
      });
      if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
      const flags = response.status === 206 ? 'a' : 'w';
      const body = Readable.fromWeb(response.body).on('data', () => timer.refresh());
      await pipeline(body, createWriteStream(partial, { flags }), { signal: quiet.signal });
    } finally {
      clearTimeout(timer);
    }
  } catch (error) {
    const kept = (await sizeOf(partial)) ?? 0;
    throw new MissingPartError(
      `cannot fetch ${url}: ${reasonOf(error)}; ${kept} bytes are kept, run the same command to continue`,
    );
  }
}

/** `fetch failed` explains nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

async function checkFile(path: string, { sha256 }: RemoteFile, rule: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const found = hash.digest('hex');
  if (found !== sha256) throw new InputError(`${rule} (sha256 ${found}, not ${sha256})`, { file: path });
}
