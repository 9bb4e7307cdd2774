/**
 * Reads members of a zip archive into memory, one at a time. Nothing is written, so that no name of a member is ever a
 * path on this machine. Declared sizes are bounded and checked against what comes out.
 */
import { crc32, createZstdDecompress } from 'node:zlib';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { counted } from '../../../domain/counted.ts';
import { InputError } from '../../../domain/errors.ts';
import { utf8Text } from '../../../domain/spec/utf8-text.ts';
import { unreadable } from '../../../domain/unreadable.ts';

/** Longest member, bytes, unpacked; all members together; and their number. */
const longestMember = 256 * 1024 * 1024;
const longestArchive = 64 * longestMember;
const mostMembers = 1_000_000;

export interface ZipMembers {
  readonly names: readonly string[];
  /** The text of a member. Throws `InputError` with file and member if it is missing or damaged. */
  text(name: string): Promise<string>;
  close(): void;
}

/** Throws `InputError` for a file that is not a whole zip archive within the bounds, or has names that leave it. */
export async function openZip(file: string): Promise<ZipMembers> {
  const zip = await openArchive(file);
  try {
    const entries = await entriesOf(zip, file);
    return {
      names: [...entries.keys()],
      text: async (name) => {
        const entry = entries.get(name);
        if (entry === undefined)
          throw new InputError(`has no member ${name}: it is cut off, or of another tool`, { file });
        return utf8Text(await unpacked(zip, entry, file), `${file}/${name}`);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function openArchive(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false });
  } catch (error) {
    const isOfSystem = (error as NodeJS.ErrnoException).code !== undefined;
    throw new InputError(isOfSystem ? unreadable(error) : damaged(error), { file });
  }
}

const damaged = (error: unknown): string =>
  `is not a zip archive, or it is damaged (${(error as Error).message}): copy or download it again`;

async function entriesOf(zip: ZipFile, file: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > mostMembers)
    throw new InputError(`has ${counted(zip.entryCount, 'member')}; at most ${mostMembers} are read`, { file });
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw new InputError(damaged(error), { file });
  }
  if (bytes > longestArchive)
    throw new InputError(`would have ${bytes} bytes when unpacked; at most ${longestArchive} are read`, { file });
  return entries;
}

/** The method number of Zstandard in zip archives, which yauzl leaves to its caller. */
const zstandard = 93;

async function unpacked(zip: ZipFile, entry: Entry, file: string): Promise<Buffer> {
  const member = `${file}/${entry.fileName}`;
  if (entry.uncompressedSize > longestMember)
    throw new InputError(`has ${entry.uncompressedSize} bytes; at most ${longestMember} are read`, { file: member });
  try {
    const bytes = await collected(await opened(zip, entry), entry.uncompressedSize);
    if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
      throw new Error('its checksum is wrong');
    return bytes;
  } catch (error) {
    throw new InputError(`is damaged (${(error as Error).message}): copy or download the archive again`, {
      file: member,
    });
  }
}

async function opened(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.compressionMethod !== zstandard) return zip.openReadStreamPromise(entry);
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const unpacking = createZstdDecompress();
  packed.on('error', (error) => unpacking.destroy(error));
  return packed.pipe(unpacking);
}

/** Stops at more bytes than declared: a small member that unpacks to a huge one. */
async function collected(stream: Readable, declared: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > declared) throw new Error(`it has more than the ${declared} bytes that it declares`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
