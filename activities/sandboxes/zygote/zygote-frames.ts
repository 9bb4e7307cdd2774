/**
 * The protocol between a slot's driver and its zygote (sandbox/container/wire.py):
 * frames with a 4-byte little-endian length, a JSON header, a newline, and bodies whose lengths the header lists.
 * No output of a program can reach either stream.
 */
import type { DriverBuild, ProgramEnd, ProgramLanguage } from '../../../schemas/program.ts';

/** Sent before the first frame; anything that an engine writes to a container's input before it is discarded. */
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
  /** Files, sources and flags of a driver to build with each program; null if there is none. */
  readonly driver: Omit<DriverBuild, 'buildLimitMs' | 'alone'> | null;
  readonly forget: readonly number[];
}

export interface RunHeader {
  readonly run: number;
  readonly suite: number;
  readonly lane: 'isolated' | 'batch' | 'timing';
  /** A second suite for the single program of an isolated run, which then has two replies. */
  readonly second?: number;
}

/** For a quality service (sandbox/container/quality.py); the sources follow. */
export interface MeasureHeader {
  readonly measure: number;
}

/** For a program in a batch without all answers: it must run alone, or has not run at all. */
export type NoVerdict = 'alone' | 'again';

export interface ProgramReply {
  readonly end: ProgramEnd | NoVerdict;
  readonly exception: string | null;
  readonly failedAtLoad: boolean;
  readonly detail: string | null;
  readonly caseNs: readonly number[];
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Peak resident memory of the process, bytes, including the zygote's own share. */
  readonly memory: number;
  /** True if the step that reached its limit did not have a core to itself. */
  readonly crowded: boolean;
  /** Encoded outputs of the cases. */
  readonly values: readonly string[];
}

/** What became of one process; what it wrote follows (program-ends.ts). */
export interface RunReply {
  /** As `wait` gives it. */
  readonly status: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Peak resident memory of the process, bytes. */
  readonly memory: number;
  /** The kernel ended processes of the slot for lack of memory. */
  readonly oom?: true;
  /** It wrote more than it may; only so many bytes count. */
  readonly flood?: number;
  /** It was ended; only what it had written before counts. */
  readonly stopped?: {
    readonly at: number;
    /** The limit that it reached, milliseconds; null if it was ended for what it wrote. */
    readonly limit: readonly [kind: 'cpu' | 'wall' | 'halted', ms: number] | null;
    readonly crowded: boolean;
  };
}

export type ReplyHeader =
  | { readonly ready: { readonly version: string; readonly residentBytes: number } }
  | { readonly beat: true }
  | (RunReply & { readonly run: number });

export interface Frame {
  readonly header: ReplyHeader;
  readonly bodies: Buffer;
}

/** A longer frame means a broken stream. */
const maxFrameBytes = 512 * 1024 * 1024;

export function encodeFrame(header: SuiteHeader | RunHeader | MeasureHeader, texts: readonly string[]): Buffer {
  const bodies = texts.map((text) => Buffer.from(text, 'utf8'));
  const head = Buffer.from(`${JSON.stringify({ ...header, sizes: bodies.map(({ length }) => length) })}\n`, 'utf8');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bodies.reduce((sum, { length }) => sum + length, head.length));
  return Buffer.concat([size, head, ...bodies]);
}

/**
 * Splits a byte stream into frames: takes chunks as they come and returns the complete frames.
 * @throws if a length exceeds `maxFrameBytes` or a header is not JSON
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
      if (end > maxFrameBytes) throw new RangeError(`a frame must be at most ${maxFrameBytes} bytes, got ${end}`);
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
