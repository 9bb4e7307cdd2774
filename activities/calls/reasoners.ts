/**
 * Tracks which models think: they report reasoning tokens. Their thoughts would use up the limit that a study sets for
 * answers, so it is no longer sent to them (docs/decisions/providers/0081-parameters-of-requests.md).
 */
import { sha256 } from '../../domain/ids.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';

export interface Reasoners {
  /** Whether any answer of the model in this run reported reasoning tokens, as far as this process knows. */
  thinks(model: string): boolean;
  /** @param first the reply that reports the tokens of its request */
  note(model: string, first: Pick<ChatReply, 'reasoningTokens'>): Promise<void>;
}

const factPrefix = 'reasoning model/';
const factName = (model: string): string => `${factPrefix}${sha256(model)}`;

/** Models of which an answer in this run reported reasoning tokens. */
export async function thinkingModels(ledger: Pick<Ledger, 'facts'>): Promise<Set<string>> {
  const facts = await ledger.facts(factPrefix);
  return new Set(facts.map((json) => (JSON.parse(json) as { model: string }).model));
}

/** What other processes found is read this often. */
const lookAgainMs = 1_000;

export async function createReasoners(ledger: Pick<Ledger, 'facts' | 'saveFact'>): Promise<Reasoners> {
  const known = new Set<string>();
  let lookedMs = performance.now();
  const look = async (): Promise<void> => {
    for (const model of await thinkingModels(ledger)) known.add(model);
  };
  await look();

  return {
    thinks(model) {
      if (known.has(model)) return true;
      const nowMs = performance.now();
      if (nowMs - lookedMs >= lookAgainMs) {
        lookedMs = nowMs;
        // A ledger that cannot be read is told by the reservation.
        look().catch(() => {});
      }
      return known.has(model);
    },
    async note(model, { reasoningTokens }) {
      if (known.has(model) || (reasoningTokens ?? 0) === 0) return;
      known.add(model);
      await ledger.saveFact(factName(model), JSON.stringify({ model }));
    },
  };
}
