/**
 * A container's standard streams. The engine frames its output (8 bytes: stream, three zeros, length). Frames are split
 * here, since the library's splitter copies without end.
 */
import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';

export interface AttachedStreams {
  readonly input: Duplex;
  /** Sets the listener for the container's standard output. */
  listen(onChunk: (chunk: Buffer) => void): void;
  /** The end of its standard error. */
  complaint(): string;
  readonly closed: Promise<void>;
}

const headerBytes = 8;
const stderrStream = 2;
const complaintChars = 2000;

/** Attach before the container starts. */
export async function attachStreams(container: Docker.Container): Promise<AttachedStreams> {
  const stream = (await container.attach({
    stream: true,
    stdin: true,
    stdout: true,
    stderr: true,
    hijack: true,
  })) as Duplex;
  let complaint = '';
  let hears: (chunk: Buffer) => void = () => undefined;
  const split = createStreamSplitter((which, chunk) => {
    if (which === stderrStream) complaint = (complaint + chunk.toString('utf8')).slice(-complaintChars);
    else hears(chunk);
  });
  stream.on('data', split);
  stream.on('error', () => stream.destroy());
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
  return {
    input: stream,
    listen: (onChunk) => {
      hears = onChunk;
    },
    complaint: () => complaint.trim(),
    closed,
  };
}

/** Passes on each part of a chunk at once; a stream's own framing is handled elsewhere. */
export function createStreamSplitter(onPart: (stream: number, part: Buffer) => void): (chunk: Buffer) => void {
  const header = Buffer.alloc(headerBytes);
  let filled = 0;
  let left = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left === 0) {
        const taken = chunk.copy(header, filled, at, at + headerBytes - filled);
        filled += taken;
        at += taken;
        if (filled < headerBytes) return;
        filled = 0;
        left = header.readUInt32BE(4);
        continue;
      }
      const part = chunk.subarray(at, at + left);
      onPart(header[0] ?? 0, part);
      at += part.length;
      left -= part.length;
    }
  };
}
