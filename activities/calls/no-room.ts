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

/** What the cheapest of these calls may cost; null if there are none. */
export async function noRoomText(ledger: Ledger, epoch: number, { budget, models }: Spec): Promise<string | null> {
  const facts = await Promise.all(models.map(({ id }) => ledger.fact(factOf(epoch, id))));
  const calls = facts.flatMap((fact) => (fact === undefined ? [] : [noted.parse(JSON.parse(fact))]));
  if (calls.length === 0) return null;
  const usd = Math.min(...calls.map((call) => call.usd ?? Infinity));
  const tokens = Math.min(...calls.map((call) => call.tokens));
  const most = [
    ...(budget?.usd === undefined || usd === Infinity ? [] : [usdText(usd)]),
    ...(budget?.tokens === undefined ? [] : [counted(tokens, 'token')]),
  ];
  const { reportedUsd, estimatedUsd } = (await ledger.progress()).spend;
  const spent = usdText(reportedUsd + estimatedUsd);
  const left = budget?.usd === undefined ? '' : `; ${spent} of ${usdText(budget.usd)} is spent`;
  return `a call is sent only while its highest cost fits into the budget: here ${most.join(' and ')} at least${left}`;
}
