/**
 * The simulator's log of requests: JSON lines that are on disk before the answer is sent. Soak tests count calls in it.
 */
import { open } from 'node:fs/promises';
import type { TransportFault } from './faults.ts';

export interface RequestLogEntry {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** From 1, in order of arrival at this server process; the same on both lines of one request. */
  readonly sequence: number;
  readonly model: string;
  /** Hex SHA-256 of the body's canonical JSON. */
  readonly bodySha256: string;
  readonly seed: number | null;
  /** The batch that the request is a line of; absent for a request of its own. */
  readonly batch?: string;
  readonly outcome: 'received' | 'answered' | TransportFault;
}

export interface RequestLog {
  /** Resolves when the line is durable. Lines that arrive while others are being written share one fsync. */
  append(entry: RequestLogEntry): Promise<void>;
  close(): Promise<void>;
}

export async function openRequestLog(path: string): Promise<RequestLog> {
  const file = await open(path, 'a');
  let waiting: string[] = [];
  let flush: Promise<void> = Promise.resolve();

  async function writeWaiting(): Promise<void> {
    const lines = waiting;
    waiting = [];
    await file.appendFile(lines.join(''));
    await file.datasync();
  }

  return {
    append(entry) {
      waiting.push(`${JSON.stringify(entry)}\n`);
      if (waiting.length === 1) flush = flush.then(writeWaiting);
      return flush;
    },
    async close() {
      await flush;
      await file.close();
    },
  };
}
