/** Calls to put into a ledger, and what they bring. */
import { createHash } from 'node:crypto';
import type { CallToReserve } from '../../../../activities/storage/ledger/call-book.ts';
import type { Fence } from '../../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import type { Charge, VerdictRecord } from '../../../../activities/storage/ledger/records.ts';
import type { ChatReply } from '../../../../schemas/chat.ts';

export const keyOf = (name: string | number): string => createHash('sha256').update(String(name)).digest('hex');

export const page = 'loops/m-1a2b3c/r1p0';

/** A call for one cell; equal cells have equal call keys unless told otherwise. */
export function call(cell: number, more: Partial<CallToReserve> = {}): CallToReserve {
  return {
    key: { page, cell, step: 'generate', loop: 1, ask: 0, sample: 0 },
    callKeys: [keyOf(cell)],
    model: 'm',
    answeringModel: 'm',
    parametersSent: '{"temperature":0}',
    maxUsd: 0.05,
    estimatedUsd: 0.02,
    estimatedTokens: 200,
    maxTokens: 500,
    free: false,
    ...more,
  };
}

export function reply(text: string): ChatReply {
  return {
    text,
    finishReason: 'stop',
    returnedModel: 'm-2026',
    fingerprint: 'fp',
    inputTokens: 30,
    cachedTokens: null,
    outputTokens: 12,
    reasoningTokens: null,
    logprobs: [-0.25, -1.5],
  };
}

export function charge(usd: number | null, tokens = 42, more: Partial<Charge> = {}): Charge {
  return {
    inputTokens: tokens,
    cachedTokens: null,
    outputTokens: 0,
    reasoningTokens: null,
    usd,
    basis: 'reported',
    priceDate: '2026-11-01',
    ...more,
  };
}

export const verdict = (detail: string): VerdictRecord => ({
  ...{
    executionKey: keyOf('e'),
    programSha256: keyOf('p'),
    suite: 'base',
    outcome: 'pass',
    firstFailingCase: null,
    detail,
  },
  ...{
    wallMs: 1.5,
    cpuMs: null,
    memoryBytes: null,
    tier: 'embedded',
    lane: 'python',
    engine: 'e',
    imageDigest: 'i',
    limits: '{}',
  },
});

/** Reserves a call that nothing stands in the way of; returns its intent. */
export async function go(ledger: Ledger, fence: Fence, wanted: CallToReserve): Promise<number> {
  const reservation = await ledger.reserve(fence, wanted);
  if (reservation.kind !== 'go') throw new Error(`expected go, got ${JSON.stringify(reservation)}`);
  return reservation.intent;
}
