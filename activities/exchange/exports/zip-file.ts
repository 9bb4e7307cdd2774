/** Writes a zip archive of texts. Equal texts give equal bytes. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The earliest time that zip archives can hold: the time of writing would make equal archives differ. */
const mtime = new Date(1980, 0, 1);

export async function writeZip(
  file: string,
  members: AsyncIterable<{ readonly name: string; readonly text: string }>,
): Promise<void> {
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(file));
  // Adding fails before the file does: that error is told.
  written.catch(() => undefined);
  for await (const { name, text } of members)
    zip.addBuffer(Buffer.from(text), name, { mtime, mode: 0o100644, forceDosTimestamp: true });
  zip.end();
  await written;
}
