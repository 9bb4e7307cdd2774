/** Writes a compressed tar archive of a folder's files. Equal files give equal bytes. */
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * @param names the files, relative to `folder`; links are followed
 * @param top the folder that they get in the archive
 * @param mtime their time, since the time of writing would make equal archives differ
 */
export async function writeTar(
  file: string,
  { folder, names, top, mtime }: { folder: string; names: readonly string[]; top: string; mtime: Date },
): Promise<WrittenFile> {
  const tar = pack();
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const written = pipeline(tar, createGzip(), counted, createWriteStream(file, { flush: true }));
  // Adding fails before the file does: that error is told.
  written.catch(() => undefined);
  for (const name of names) {
    const path = join(folder, name);
    const { size } = statSync(path);
    await pipeline(createReadStream(path), tar.entry({ name: `${top}/${name}`, size, mtime, mode: 0o644 }));
  }
  tar.finalize();
  await written;
  return { bytes, sha256: hash.digest('hex') };
}
