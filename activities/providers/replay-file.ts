/** Reads the lines of a replay file, checked and with their places in the file. */
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { InputError } from '../../domain/errors.ts';
import { parsedRecord } from '../exchange/parsed-record.ts';
import { refuseDevice } from '../storage/files/regular-file.ts';
import { requestOfLine } from './recordings/replay-conflicts.ts';
import type { LinePlace } from './replay-index.ts';
import { recordedStart, replayLineSchema } from './replay-line.ts';
import type { ReplayLine } from './replay-line.ts';

/**
 * Every line except blank ones; passes each chunk read to `see`. Throws `InputError` with file and line for anything
 * that is not a recorded reply.
 */
export async function* recordedLines(
  file: string,
  see: (chunk: Buffer) => void = () => {},
): AsyncGenerator<{ readonly line: ReplayLine; readonly place: LinePlace }> {
  for await (const { text, place } of linesOf(file, see)) {
    if (text.trim() === '') continue;
    const line = parseLine(text, file, place.number);
    yield { line, place: { ...place, request: requestOfLine(line) } };
  }
}

/** Reads the line at a place returned by `recordedLines`. */
export async function recordedLineAt(handle: FileHandle, file: string, place: LinePlace): Promise<ReplayLine> {
  return parseLine(await readLine(handle, place), file, place.number);
}

type TextPlace = Omit<LinePlace, 'request'>;

/** A file's lines with their places; passes each chunk read to `see`. */
async function* linesOf(
  file: string,
  see: (chunk: Buffer) => void,
): AsyncGenerator<{ text: string; place: TextPlace }> {
  let rest = Buffer.alloc(0);
  let startByte = 0;
  let number = 0;
  const take = (bytes: Buffer, skippedBytes: number) => {
    const place = { number: ++number, startByte, lengthBytes: bytes.length };
    startByte += bytes.length + skippedBytes;
    return { text: utf8(bytes, file, number), place };
  };
  refuseDevice(file);
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
  if (rest.length === 0) return;
  refuseTorn(rest, file, number + 1);
  yield take(rest, 0);
}

/** A crash of `record` leaves the beginning of a line, without its end. */
function refuseTorn(bytes: Buffer, file: string, line: number): void {
  const text = bytes.toString('utf8');
  const fault = text.trim() === '' ? null : faultIn(bytes);
  if (fault === null) return;
  const remedy = text.startsWith(recordedStart)
    ? `delete it, or let \`evenkeel record --listen PORT --to URL --out ${file}\` remove it and record that reply again`
    : 'complete or delete it';
  throw new InputError(
    `invalid recorded reply: not valid JSON: ${fault}; the file ends in the middle of this line: ${remedy}`,
    { file, line },
  );
}

function faultIn(bytes: Buffer): string | null {
  try {
    JSON.parse(decoder.decode(bytes));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A single reply cannot be read at its place in a compressed file. */
function refusePacked(start: Buffer, file: string): void {
  if (start[0] === 0x1f && start[1] === 0x8b)
    throw new InputError(
      'expected plain JSON lines, this file is gzip: unpack it (gunzip) and give the unpacked file',
      { file },
    );
}

/** Skips a byte order mark. */
const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Buffer, file: string, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError('this line is not valid UTF-8', { file, line });
  }
}

async function readLine(handle: FileHandle, { startByte, lengthBytes }: TextPlace): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(lengthBytes), 0, lengthBytes, startByte);
  return decoder.decode(buffer.subarray(0, bytesRead));
}

/** Published samples often have another format. */
const samplesHint = '`evenkeel import FILE --format samples --out REPLIES` converts a file of samples to a recording';

function parseLine(text: string, file: string, line: number): ReplayLine {
  return parsedRecord(
    text,
    replayLineSchema,
    'recorded reply',
    { file, line },
    /"(?:completion|solution)":/.test(text) ? samplesHint : undefined,
  );
}
