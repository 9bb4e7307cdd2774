/**
 * The replay file that a recorder appends to. A line is on disk before its reply is passed on; the end of a line that a
 * crash left is removed when the file is opened again.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { InputError } from '../../domain/errors.ts';
import { recordedLines } from '../providers/replay-file.ts';
import { lineOfReply, recordedStart, selectors, type ReplayLine } from '../providers/replay-line.ts';
import { refuseDevice } from '../storage/files/regular-file.ts';
import type { Recordable } from './recordable.ts';
import { lockRecording } from './recording-lock.ts';

export interface RecordingFile {
  /** Resolves when the replies are on disk. Lines that arrive while others are being written share one sync. */
  append(recordable: Recordable): Promise<void>;
  readonly counts: RecordedCounts;
  /** Rejects once nothing more can be written: no further request should be made. */
  readonly broken: Promise<never>;
  close(): Promise<void>;
}

export interface RecordedCounts {
  /** Replies in the file. */
  readonly replies: number;
  /** Requests that were answered again with another text. */
  readonly changed: number;
  /** Bytes of a cut-off line that were removed from the file's end. */
  readonly removedBytes: number;
}

/**
 * Throws `InputError` if the file holds anything but replies recorded by request, or another recorder has it open.
 */
export async function openRecordingFile(path: string): Promise<RecordingFile> {
  refuseDevice(path, '--out');
  const file = await open(path, 'a+');
  let unlock = (): void => undefined;
  try {
    unlock = lockRecording(path);
    const removedBytes = await withoutTornEnd(file);
    const recording = await resumed(path, file, removedBytes);
    return { ...recording, close: () => recording.close().finally(unlock) };
  } catch (error) {
    await file.close();
    unlock();
    throw error;
  }
}

interface AskedBefore {
  count: number;
  readonly first: string;
  changed: boolean;
}

async function resumed(path: string, file: FileHandle, removedBytes: number): Promise<RecordingFile> {
  const asked = new Map<string, AskedBefore>();
  const counts = { replies: 0, changed: 0, removedBytes };
  for await (const { line, place } of recordedLines(path)) {
    const requestSha256 = requestOfLine(line, path, place.number);
    note(requestSha256, line.reply);
  }
  let sizeBytes = (await file.stat()).size;
  let waiting: string[] = [];
  let written: Promise<void> = Promise.resolve();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);

  /** Returns how often the request was answered before. */
  function note(requestSha256: string, reply: string): number {
    const before = asked.get(requestSha256) ?? { count: 0, first: reply, changed: false };
    asked.set(requestSha256, before);
    if (reply !== before.first && !before.changed) {
      before.changed = true;
      counts.changed += 1;
    }
    counts.replies += 1;
    before.count += 1;
    return before.count - 1;
  }

  async function write(): Promise<void> {
    const bytes = Buffer.from(waiting.join(''));
    waiting = [];
    if ((await file.stat()).size !== sizeBytes)
      throw new InputError('another program writes to it: give each recorder a file of its own', { file: path });
    await file.appendFile(bytes);
    await file.datasync();
    sizeBytes += bytes.length;
  }

  return {
    counts,
    broken: broken.promise,
    append({ requestSha256, replies, simulated }) {
      for (const reply of replies) {
        const sample = note(requestSha256, reply.text);
        const line: ReplayLine = {
          request_sha256: requestSha256,
          ...(sample > 0 && { sample }),
          ...lineOfReply(reply),
          ...(simulated && { simulated }),
        };
        waiting.push(`${JSON.stringify(line)}\n`);
        if (waiting.length === 1) written = written.then(write);
      }
      written.catch(broken.reject);
      return written;
    },
    close: async () => {
      await written.catch(() => undefined);
      await file.close();
    },
  };
}

/** A file with other lines could hold one that is as specific, and would be refused as a whole. */
function requestOfLine(line: ReplayLine, file: string, number: number): string {
  const others = selectors.filter((field) => !['request_sha256', 'sample'].includes(field) && field in line);
  if (line.request_sha256 !== undefined && others.length === 0) return line.request_sha256;
  throw new InputError('this line was not written by `record`: name a new file, or one that `record` wrote', {
    file,
    line: number,
  });
}

const lineFeed = 10;
const lookBytes = 64 * 1024;

/** Ends or removes a last line that a crash cut off. Returns the number of bytes removed; leaves any other text. */
async function withoutTornEnd(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const end = await lastLineEnd(file, size);
  if (end === size) return 0;
  const { buffer } = await file.read(Buffer.alloc(size - end), 0, size - end, end);
  const torn = buffer.toString('utf8');
  if (isJson(torn)) {
    await file.appendFile('\n');
    return 0;
  }
  if (!torn.startsWith(recordedStart) && !recordedStart.startsWith(torn)) return 0;
  await file.truncate(end);
  return size - end;
}

/** The place after the last line feed. */
async function lastLineEnd(file: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; end = Math.max(0, end - lookBytes)) {
    const start = Math.max(0, end - lookBytes);
    const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const last = buffer.lastIndexOf(lineFeed);
    if (last >= 0) return start + last + 1;
  }
  return 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
