/** Answers from a recorded file. Only the index is held in memory; a reply is read when it is asked for. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { InputError } from '../../domain/errors.ts';
import type { CallCoordinates, ChatReply, ChatRequest } from '../../schemas/chat.ts';
import { parsedRecord } from '../parsed-record.ts';
import { ProviderFault } from './provider.ts';
import type { Provider } from './provider.ts';
import { createReplayIndex } from './replay-index.ts';
import type { LinePlace, ReplayIndex } from './replay-index.ts';
import { replayLineSchema, replyOfLine, valuesOfCall, withSharedTokens } from './replay-line.ts';
import type { ReplayLine } from './replay-line.ts';

export interface ReplayProviderOptions {
  readonly file: string;
  /** Hex SHA-256 that the file must have; null takes whatever it has. */
  readonly sha256: string | null;
}

/**
 * Reads and checks the whole file first. Throws `InputError`, naming file and line, when a line is not a recorded reply or two lines could
 * answer one call; throws when the file is not the one that was planned with.
 */
export async function createReplayProvider({ file, sha256 }: ReplayProviderOptions): Promise<Provider> {
  const { index, actualSha256, simulated } = await loadIndex(file);
  if (sha256 !== null && sha256 !== actualSha256) {
    throw new Error(
      `${file} has SHA-256 ${actualSha256}, not ${sha256}: it changed since it was planned with; restore it or start a new run`,
    );
  }
  const handle = await open(file, 'r');

  async function ask({ n = 1 }: ChatRequest, coordinates: CallCoordinates, signal: AbortSignal): Promise<ChatReply[]> {
    signal.throwIfAborted();
    const samples = Array.from({ length: n }, (_, place) => coordinates.sample + place);
    return withSharedTokens(await Promise.all(samples.map((sample) => recorded({ ...coordinates, sample }))));
  }

  async function recorded(coordinates: CallCoordinates): Promise<ChatReply> {
    const [place, ...others] = index.find(valuesOfCall(coordinates));
    if (place === undefined)
      throw new ProviderFault('stop', `${file} has no line for ${told(coordinates)}; record one, or leave this call out`);
    if (others.length > 0) {
      const numbers = [place, ...others].map(({ number }) => number).join(' and ');
      throw new ProviderFault('stop', `${file}: lines ${numbers} are equally specific for ${told(coordinates)}; keep one`);
    }
    return replyOfLine(parseLine(await readLine(handle, place), file, place.number));
  }

  return { kind: 'replay', endpointIdentity: `replay:${actualSha256}`, simulated, ask, close: () => handle.close() };
}

const told = (coordinates: CallCoordinates): string =>
  Object.entries(coordinates)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** One simulated line makes the whole recording a simulated one. */
async function loadIndex(file: string): Promise<{ index: ReplayIndex; actualSha256: string; simulated: boolean }> {
  let simulated = false;
  let count = 0;
  const index = createReplayIndex();
  const hash = createHash('sha256');
  for await (const { text, place } of linesOf(file, (chunk) => hash.update(chunk))) {
    if (text.trim() === '') continue;
    const line = parseLine(text, file, place.number);
    inFile(file, () => index.add(line, place));
    count += 1;
    simulated ||= line.simulated === true;
  }
  if (count === 0) throw new InputError('at least one recorded reply, the file has none', { file });
  inFile(file, () => index.refuseOverlaps());
  return { index, actualSha256: hash.digest('hex'), simulated };
}

/** Runs `check`, and puts the file's name before the message of what it throws. */
function inFile(file: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error), { file });
  }
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

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8(bytes: Buffer, file: string, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError('UTF-8 text, this line holds other bytes', { file, line });
  }
}

async function readLine(handle: FileHandle, { startByte, lengthBytes }: LinePlace): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(lengthBytes), 0, lengthBytes, startByte);
  return buffer.toString('utf8', 0, bytesRead);
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
