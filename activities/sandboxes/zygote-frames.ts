/**
 * What a slot's driver and its zygote say to each other (sandbox/container/wire.py): frames of a 4-byte little-endian length, a JSON header, a
 * newline, and bodies whose lengths the header lists. Nothing that a program prints can reach either stream.
 */
import type { DriverBuild, ProgramEnd, ProgramLanguage } from '../../schemas/program.ts';

/** Comes before the first frame; whatever an engine writes to a container's input before it is discarded. */
export const magic = Buffer.from('evenkeel-sandbox\n');

export interface SuiteHeader {
  readonly suite: number;
  readonly language: ProgramLanguage;
  readonly entry: string;
  readonly tests: readonly [prelude: string, alias: string] | null;
  /** Milliseconds of CPU time: the module's load, then each case. */
  readonly limitsMs: readonly number[];
  readonly memory: number;
  readonly output: number;
  /** Files, sources and flags of a driver that is built with each program; null where there is none. */
  readonly driver: Omit<DriverBuild, 'buildLimitMs' | 'alone'> | null;
  readonly forget: readonly number[];
}

export interface RunHeader {
  readonly run: number;
  readonly suite: number;
  readonly lane: 'isolated' | 'batch' | 'timing';
  /** A second suite for the one program of an isolated run, which then has two replies. */
  readonly second?: number;
}

/** For a quality service (sandbox/container/quality.py): the sources follow. */
export interface MeasureHeader {
  readonly measure: number;
}

/** A program of a batch that did not answer every case there: it has to run by itself, or has not run at all. */
export type NoVerdict = 'alone' | 'again';

export interface ProgramReply {
  readonly end: ProgramEnd | NoVerdict;
  readonly exception: string | null;
  readonly failedAtLoad: boolean;
  readonly detail: string | null;
  readonly caseNs: readonly number[];
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Most resident memory of the process, bytes, the zygote's own share included. */
  readonly memory: number;
  /** True when the step that met its limit did not have a core for itself. */
  readonly crowded: boolean;
  readonly sizes: readonly number[];
}

export type ReplyHeader =
  | { readonly ready: { readonly version: string; readonly residentBytes: number } }
  | { readonly beat: true }
  | { readonly run: number; readonly programs: readonly ProgramReply[] };

export interface Frame {
  readonly header: ReplyHeader;
  readonly bodies: Buffer;
}

/** A frame longer than this is a broken stream, not a message. */
const maxFrameBytes = 512 * 1024 * 1024;

export function encodeFrame(header: SuiteHeader | RunHeader | MeasureHeader, texts: readonly string[]): Buffer {
  const bodies = texts.map((text) => Buffer.from(text, 'utf8'));
  const head = Buffer.from(`${JSON.stringify({ ...header, sizes: bodies.map(({ length }) => length) })}\n`, 'utf8');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bodies.reduce((sum, { length }) => sum + length, head.length));
  return Buffer.concat([size, head, ...bodies]);
}

/**
 * Cuts a byte stream into frames. Give it chunks as they come; it returns the frames that are complete.
 * Throws when a length is beyond `maxFrameBytes` or a header is not JSON.
 */
export function createFrameSplitter(): (chunk: Buffer) => Frame[] {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = 4;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    const frames: Frame[] = [];
    while (held >= wanted) {
      const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      const end = 4 + all.readUInt32LE(0);
      if (end > maxFrameBytes) throw new RangeError(`a frame is at most ${maxFrameBytes} bytes, got ${end}`);
      const complete = all.length >= end;
      if (complete) frames.push(decodeFrame(all.subarray(4, end)));
      const rest = complete ? all.subarray(end) : all;
      chunks = rest.length === 0 ? [] : [rest];
      held = rest.length;
      wanted = complete ? 4 : end;
    }
    return frames;
  };
}

function decodeFrame(frame: Buffer): Frame {
  const cut = frame.indexOf(10);
  return { header: JSON.parse(frame.toString('utf8', 0, cut)) as ReplyHeader, bodies: frame.subarray(cut + 1) };
}
