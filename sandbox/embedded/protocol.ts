/**
 * What the embedded sandbox's parent and child say to each other: JSON in frames of a 4-byte little-endian length.
 * Requests go to the child's stdin, replies come from file descriptor 3; nothing that a program prints can reach
 * either.
 */
import type { ProgramEnd } from '../../schemas/program.ts';

/** One program to run. */
export interface Request {
  /** 128 random bits in hex, repeated in every reply to it. */
  readonly nonce: string;
  readonly source: string;
  readonly entryPoint: string;
  /** JSON texts, one per case: an encoded argument list, or a string, test code. */
  readonly inputs: readonly string[];
  /** What test code needs around it; null when no case is any. */
  readonly tests: { readonly prelude: string; readonly alias: string } | null;
  /** Time limits in milliseconds: the module's load, then each case. */
  readonly limitsMs: readonly number[];
  /** Wall time that a step may take, in times of its limit. */
  readonly wallFactor: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
}

/** The module has loaded; the first case begins. */
export interface LoadedReply {
  readonly type: 'loaded';
  readonly nonce: string;
}

/** One case returned; the next one begins. */
export interface ValueReply {
  readonly type: 'value';
  readonly nonce: string;
  readonly value: string;
  readonly ms: number;
}

/** The program has ended and the interpreter is as it was before it. */
export interface EndReply {
  readonly type: 'end';
  readonly nonce: string;
  readonly end: ProgramEnd;
  /** The exception that ended the run, or null. */
  readonly exception: string | null;
  readonly failedAtLoad: boolean;
  readonly detail: string | null;
  /** The exception says that this platform cannot do what the program asked for. */
  readonly lacks?: true;
  /** Bytes by which the program extended the heap. */
  readonly memoryBytes: number;
  /** True when the process should not serve another program (its memory has grown for good). */
  readonly worn: boolean;
}

/** The interpreter is loaded, warmed and sealed. */
export interface ReadyReply {
  readonly type: 'ready';
  readonly nonce: '';
}

export type Reply = ReadyReply | LoadedReply | ValueReply | EndReply;

/** File descriptor on which the child replies. */
export const replyFd = 3;

/** A frame longer than this is a broken stream, not a message. */
const maxFrameBytes = 512 * 1024 * 1024;

export function encodeFrame(message: Request | Reply): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  const frame = Buffer.allocUnsafe(4 + body.length);
  frame.writeUInt32LE(body.length, 0);
  body.copy(frame, 4);
  return frame;
}

/**
 * Cuts a byte stream into replies. Give it chunks as they come; it returns the replies that are complete.
 * Throws when a length is beyond `maxFrameBytes` or a body is not JSON.
 */
export function createReplySplitter(): (chunk: Buffer) => Reply[] {
  let chunks: Buffer[] = [];
  let held = 0;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    const replies: Reply[] = [];
    for (;;) {
      const first = held < 4 ? null : joinAtLeast(4);
      if (first === null) break;
      const length = first.readUInt32LE(0);
      if (length > maxFrameBytes)
        throw new RangeError(`a reply frame is at most ${maxFrameBytes} bytes, got ${length}`);
      if (held < 4 + length) break;
      const all = joinAtLeast(4 + length);
      replies.push(JSON.parse(all.toString('utf8', 4, 4 + length)) as Reply);
      keep(all.subarray(4 + length));
    }
    return replies;
  };

  function joinAtLeast(bytes: number): Buffer {
    const first = chunks[0];
    if (first !== undefined && first.length >= bytes) return first;
    chunks = [Buffer.concat(chunks)];
    return chunks[0] as Buffer;
  }

  function keep(rest: Buffer): void {
    chunks[0] = rest;
    held = chunks.reduce((sum, part) => sum + part.length, 0);
    if (rest.length === 0) chunks.shift();
  }
}
