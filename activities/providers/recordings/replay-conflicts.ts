/**
 * Requests to which a recording has several different replies, at different places of the study or of several studies.
 * One call key for all of them would give each place the reply of the first that asks.
 */
import { hash } from 'node:crypto';
import type { ReplayLine } from '../replay-line.ts';

/** A number for what a call key has of a line: its request, and which draw of it; null if it names no request. */
export function requestOfLine({ request_sha256: request, repetition, ask, sample }: ReplayLine): number | null {
  return request === undefined ? null : numberOf(JSON.stringify([request, repetition, ask, sample]));
}

export interface ReplayConflicts {
  add(line: ReplayLine, request: number | null): void;
  /** The requests with different replies. Call it after all lines are added: it forgets the others. */
  found(): ReadonlySet<number>;
}

export function createReplayConflicts(): ReplayConflicts {
  const replies = new Map<number, number>();
  const found = new Set<number>();
  return {
    add(line, request) {
      if (request === null) return;
      const reply = numberOf(JSON.stringify([line.reply, line.finish_reason, line.logprobs, line.reasoning]));
      const first = replies.get(request);
      if (first === undefined) replies.set(request, reply);
      else if (first !== reply) found.add(request);
    },
    found() {
      replies.clear();
      return found;
    },
  };
}

/** 52 bits: two of ten million texts have the same number once in a hundred times, which only keeps them apart. */
const numberOf = (text: string): number => Number.parseInt(hash('sha1', text).slice(0, 13), 16);
