/** A replay file as it lies on the disk: its lines, checked, with their places. */
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { InputError } from '../../domain/errors.ts';
import { parsedRecord } from '../parsed-record.ts';
import type { LinePlace } from './replay-index.ts';
import { replayLineSchema } from './replay-line.ts';
import type { ReplayLine } from './replay-line.ts';

/** Every line but blank ones; each chunk read is also shown to `see`. Throws `InputError`, naming file and line, for what is no recorded reply. */
export async function* recordedLines(
  file: string,
  see: (chunk: Buffer) => void = () => {},
): AsyncGenerator<{ readonly line: ReplayLine; readonly place: LinePlace }> {
  for await (const { text, place } of linesOf(file, see)) {
    if (text.trim() !== '') yield { line: parseLine(text, file, place.number), place };
  }
}

/** The line at a place that `recordedLines` gave. */
export async function recordedLineAt(handle: FileHandle, file: string, place: LinePlace): Promise<ReplayLine> {
  return parseLine(await readLine(handle, place), file, place.number);
}

/** A file's lines with their places in it; every chunk read is also shown to `see`. */
async function* linesOf(file: string, see: (chunk: Buffer) => void): AsyncGenerator<{ text: string; place: LinePlace }> {
  let rest = Buffer.alloc(0);
  let startByte = 0;
  let number = 0;
  const take = (bytes: Buffer, skippedBytes: number) => {
    const place = { number: ++number, startByte, lengthBytes: bytes.length };
    startByte += bytes.length + skippedBytes;
    return { text: utf8(bytes, file, number), place };
  };
  for await (const chunk of createReadStream(file)) {
    see(chunk);
    if (startByte === 0 && rest.length === 0) refusePacked(chunk, file);
    rest = Buffer.concat([rest, chunk]);
    let lineStart = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, lineStart)) {
      yield take(rest.subarray(lineStart, end), 1);
      lineStart = end + 1;
    }
    rest = rest.subarray(lineStart);
  }
  if (rest.length > 0) yield take(rest, 0);
}

/** Packed, it could not be read at a reply's place when the reply is asked for. */
function refusePacked(start: Buffer, file: string): void {
  if (start[0] === 0x1f && start[1] === 0x8b)
    throw new InputError('a recording is plain JSON lines, this file is gzip: unpack it (gunzip) and name the unpacked one', { file });
}

/** A byte order mark is passed over. */
const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Buffer, file: string, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError('UTF-8 text, this line holds other bytes', { file, line });
  }
}

async function readLine(handle: FileHandle, { startByte, lengthBytes }: LinePlace): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(lengthBytes), 0, lengthBytes, startByte);
  return decoder.decode(buffer.subarray(0, bytesRead));
}

/** Others publish samples in a form of their own. */
const samplesHint = 'a file of samples becomes a recording by `evenkeel import FILE --format samples --out REPLIES`';

function parseLine(text: string, file: string, line: number): ReplayLine {
  return parsedRecord(
    text,
    replayLineSchema,
    'recorded reply',
    { file, line },
    /"(?:completion|solution)":/.test(text) ? samplesHint : undefined,
  );
}
