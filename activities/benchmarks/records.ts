/** Reads the records of a benchmark file: plain or gzip, one JSON object per line or one JSON array of objects. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { RecordPlace } from '../../domain/benchmarks/format.ts';
import { InputError } from '../../domain/errors.ts';
import { unreadable } from '../../domain/unreadable.ts';
import { parseExactJson } from '../../domain/values/exact-json.ts';
import { refuseDevice } from '../storage/files/regular-file.ts';

export interface BenchmarkRecord {
  /** From `parseExactJson`: any JSON value; the format checks it. */
  readonly record: unknown;
  readonly at: RecordPlace;
}

export interface RecordSource {
  readonly records: AsyncIterable<BenchmarkRecord>;
  /** SHA-256 of the file's bytes as stored. Known once all records have been read. */
  readonly fileSha256: () => string;
}

export interface Places {
  /** Throws `InputError` for a duplicate id. `sourceId` is the id in the file's own form. */
  add(id: string, sourceId: string, at: RecordPlace): void;
}

/** Remembers the place of each id of a file. */
export function createPlaces(): Places {
  const places = new Map<string, number>();
  return {
    add: (id, sourceId, at) => {
      const earlier = places.get(id);
      if (earlier !== undefined) throw duplicateId(sourceId, at, earlier);
      places.set(id, at.line ?? at.index ?? 0);
    },
  };
}

function duplicateId(id: string, at: RecordPlace, earlier: number): InputError {
  const place = at.line === null ? `record ${earlier}` : `line ${earlier}`;
  const line = at.line === null ? {} : { line: at.line };
  const field = at.index === null ? 'task_id' : `[${at.index}].task_id`;
  return new InputError(`duplicate task id ${id}, first used at ${place}`, { file: at.file, ...line, field });
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);

/**
 * Opens a benchmark file. Reading throws `InputError` for a file that is missing, truncated, not UTF-8, not JSON or
 * without a record.
 */
export function openRecords(file: string): RecordSource {
  const hash = createHash('sha256');
  let digest: string | null = null;
  const fileSha256 = (): string => {
    digest ??= hash.digest('hex');
    return digest;
  };
  return { records: recordsOf(file, linesOf(file, unpacked(file, bytesOf(file, hash)))), fileSha256 };
}

/** The lines of a plain or gzip file. Throws `InputError` for one that is missing, truncated or not UTF-8. */
export const openLines = (file: string): AsyncGenerator<Line> =>
  linesOf(file, unpacked(file, bytesOf(file, { update: () => undefined })));

async function* bytesOf(file: string, hash: { update(chunk: Uint8Array): unknown }): AsyncGenerator<Buffer> {
  refuseDevice(file);
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw new InputError(unreadable(error), { file });
  }
}

/** The file's bytes, unpacked if they begin with gzip's magic number. */
async function* unpacked(file: string, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { first, all } = await peeked(bytes);
  if (!first.subarray(0, 2).equals(gzipMagic)) return yield* all;
  const gunzip = createGunzip();
  const feeding = pipeline(all, gunzip);
  // The reader of the unpacked bytes gets the error too.
  feeding.catch(() => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
    await feeding;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`the gzip file is truncated or damaged (${(error as Error).message}): fetch it again`, {
      file,
    });
  }
}

async function peeked(bytes: AsyncGenerator<Buffer>): Promise<{ first: Buffer; all: AsyncGenerator<Buffer> }> {
  const next = await bytes.next();
  const first = next.done === true ? Buffer.alloc(0) : next.value;
  const all = (async function* () {
    if (next.done !== true) yield first;
    yield* bytes;
  })();
  return { first, all };
}

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

const lineFeed = 0x0a;
/** Longest line, bytes: a damaged or hostile file must not fill the memory. A file with one JSON array is one line. */
const longestLine = 500 * 1024 * 1024;

async function* linesOf(file: string, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest: Buffer[] = [];
  let number = 1;
  let length = 0;
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      yield decoded(file, decoder, [...rest, chunk.subarray(from, end)], number++);
      rest = [];
      length = 0;
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > longestLine)
      throw new InputError(`this line has more than ${longestLine} bytes`, { file, line: number });
  }
  yield decoded(file, decoder, rest, number);
}

function decoded(file: string, decoder: TextDecoder, bytes: readonly Buffer[], number: number): Line {
  try {
    return { text: decoder.decode(bytes.length === 1 ? bytes[0] : Buffer.concat(bytes)), number };
  } catch {
    throw new InputError('this line is not valid UTF-8', { file, line: number });
  }
}

async function* recordsOf(file: string, lines: AsyncGenerator<Line>): AsyncGenerator<BenchmarkRecord> {
  let count = 0;
  for await (const line of lines) {
    if (line.text.trim() === '') continue;
    if (count === 0 && line.text.trimStart().startsWith('[')) return yield* arrayRecords(file, line, lines);
    count += 1;
    yield { record: parsedLine(file, line), at: { file, line: line.number, index: null } };
  }
  if (count === 0) throw new InputError('expected at least one task, the file has none', { file });
}

function parsedLine(file: string, { text, number }: Line): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new InputError(
      `expected one JSON object per line, this line is not valid JSON (${(error as Error).message})`,
      {
        file,
        line: number,
      },
    );
  }
}

/** For a file that is one JSON array, which must be held in memory at once. */
async function* arrayRecords(file: string, first: Line, lines: AsyncGenerator<Line>): AsyncGenerator<BenchmarkRecord> {
  const texts = [first.text];
  for await (const line of lines) texts.push(line.text);
  const records = parsedArray(file, texts.join('\n'), first.number);
  if (records.length === 0) throw new InputError('expected at least one task, the file has none', { file });
  for (const [index, record] of records.entries()) yield { record, at: { file, line: null, index } };
}

function parsedArray(file: string, text: string, firstLine: number): unknown[] {
  try {
    return parseExactJson(text) as unknown[];
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const before = position === undefined ? text : text.slice(0, Number(position));
    const line = firstLine + before.split('\n').length - 1;
    throw new InputError(`expected a JSON array of tasks, this is not valid JSON (${(error as Error).message})`, {
      file,
      line,
    });
  }
}
