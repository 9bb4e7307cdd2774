/**
 * Tracks which models think: they report reasoning tokens. Their thoughts would use up the limit that a study sets for
 * answers, so it is no longer sent to them (docs/decisions/providers/0081-parameters-of-requests.md).
 */
import { sha256 } from '../../domain/ids.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';

export interface Reasoners {
  /** Whether any answer of the model in this run reported reasoning tokens. */
  thinks(model: string): boolean;
  /** @param first the reply that reports the tokens of its request */
  note(model: string, first: Pick<ChatReply, 'reasoningTokens'>): Promise<void>;
}

const factName = (model: string): string => `reasoning model/${sha256(model)}`;

/** What other processes found is read this often. */
const lookAgainMs = 1_000;

export function createReasoners(ledger: Pick<Ledger, 'fact' | 'saveFact'>): Reasoners {
  const known = new Set<string>();
  const lookedMs = new Map<string, number>();

  function isStored(model: string): boolean {
    const nowMs = performance.now();
    if (nowMs - (lookedMs.get(model) ?? -Infinity) < lookAgainMs) return false;
    lookedMs.set(model, nowMs);
    return ledger.fact(factName(model)) !== undefined;
  }

  return {
    thinks(model) {
      if (!known.has(model) && isStored(model)) known.add(model);
      return known.has(model);
    },
    async note(model, { reasoningTokens }) {
      if (known.has(model) || (reasoningTokens ?? 0) === 0) return;
      known.add(model);
      await ledger.saveFact(factName(model), JSON.stringify({ model }));
    },
  };
}
