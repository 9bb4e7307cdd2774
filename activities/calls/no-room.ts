/**
 * Calls that did not fit into the budget. A run with money left stops if none of its next calls fits, since each is
 * sent only while the most that it may cost does; its state says how much that is.
 */
import { z } from 'zod';
import { usdText } from '../../analysis/report/format.ts';
import { counted } from '../../domain/counted.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { CallToReserve } from '../storage/ledger/call-book.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import type { Progress } from '../storage/ledger/ledger-counts.ts';

const noted = z.object({ usd: z.number().nullable(), tokens: z.number() });
const factOf = (epoch: number, model: string): string => `no room/${epoch}/${model}`;

/** The first such call of a model and owner counts. */
export async function noteNoRoom(
  ledger: Ledger,
  epoch: number,
  { answeringModel, maxUsd, maxTokens }: CallToReserve,
): Promise<void> {
  const most: z.infer<typeof noted> = { usd: maxUsd, tokens: maxTokens };
  await ledger.saveFact(factOf(epoch, answeringModel), JSON.stringify(most));
}

/** A limit of the budget, and the least that these calls need of it. */
interface Limit {
  readonly unit: 'dollars' | 'tokens';
  readonly least: number;
  readonly spent: number;
  readonly most: number;
  readonly text: (amount: number) => string;
}

/** What the cheapest of these calls may cost, and what is spent of each limit; null if there are none. */
export async function noRoomText(ledger: Ledger, epoch: number, spec: Spec): Promise<string | null> {
  const facts = await Promise.all(spec.models.map(({ id }) => ledger.fact(factOf(epoch, id))));
  const calls = facts.flatMap((fact) => (fact === undefined ? [] : [noted.parse(JSON.parse(fact))]));
  if (calls.length === 0) return null;
  const limits = limitsOf(spec, calls, (await ledger.progress()).spend);
  const binding = limits.filter(({ least, spent, most }) => spent + least > most);
  const others = limits.filter((limit) => !binding.includes(limit));
  // Without a binding one, calls that were in flight took the room: which limit that was is not known any more.
  const texts = binding.length === 0 ? others.map(limitText) : [...binding.map(limitText), ...others.map(roomText)];
  const here = texts.length === 0 ? '' : `: here ${texts.join('; ')}`;
  return `a call is sent only while its highest cost fits into the budget${here}`;
}

function limitsOf({ budget }: Spec, calls: readonly z.infer<typeof noted>[], spend: Progress['spend']): Limit[] {
  const usd = Math.min(...calls.map((call) => call.usd ?? Infinity));
  const tokens = Math.min(...calls.map((call) => call.tokens));
  const ofUsd = { unit: 'dollars' as const, least: usd, spent: spend.reportedUsd + spend.estimatedUsd, text: usdText };
  const ofTokens = { unit: 'tokens' as const, least: tokens, spent: spend.tokens, text: plainNumber };
  return [
    ...(budget?.usd === undefined || usd === Infinity ? [] : [{ ...ofUsd, most: budget.usd }]),
    ...(budget?.tokens === undefined ? [] : [{ ...ofTokens, most: budget.tokens }]),
  ];
}

const plainNumber = (amount: number): string => amount.toLocaleString('en-US');

const limitText = ({ unit, least, spent, most, text }: Limit): string =>
  `${unit === 'tokens' ? counted(least, 'token') : text(least)} at least, with ${text(spent)} of ${text(most)} spent`;

const roomText = (limit: Limit): string => `there are enough ${limit.unit} (${limitText(limit)})`;
