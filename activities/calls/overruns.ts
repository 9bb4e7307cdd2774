/**
 * Calls that cost more than their request allows, by the endpoint's own count of tokens: a budget cannot hold them
 * back, so the state of a run that it stopped says so.
 */
import { z } from 'zod';
import { usdText } from '../../analysis/report/format.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { CallToReserve } from '../storage/ledger/call-book.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import type { Charge } from '../storage/ledger/records.ts';

const noted = z.object({ usd: z.number(), allowed: z.number() });
const factOf = (model: string): string => `overrun/${model}`;

/** Models that are noted already. */
const known = new WeakMap<Ledger, Set<string>>();

/** The first such call of a model counts. */
export async function noteOverrun(
  ledger: Ledger,
  call: Pick<CallToReserve, 'answeringModel' | 'maxUsd'>,
  { usd }: Pick<Charge, 'usd'>,
): Promise<void> {
  const { answeringModel, maxUsd } = call;
  if (usd === null || maxUsd === null || usd <= maxUsd * (1 + 1e-9)) return;
  const models = known.get(ledger) ?? new Set();
  if (models.has(answeringModel)) return;
  known.set(ledger, models.add(answeringModel));
  const found: z.infer<typeof noted> = { usd, allowed: maxUsd };
  await ledger.saveFact(factOf(answeringModel), JSON.stringify(found));
}

/**
 * Ids of the models whose calls may cost more than is reserved for them: they had such a call. A limit of the study is
 * not sent to a model that is known to think, so a call that cost more than it allows says nothing of later ones.
 */
export async function overrunModels(
  ledger: Ledger,
  { models }: Pick<Spec, 'models'>,
  thinking: ReadonlySet<string>,
): Promise<string[]> {
  const found = await Promise.all(
    models.map(async ({ id, parameters = {} }) => {
      const mayRepeat = !thinking.has(id) || (parameters.maxCompletionTokens ?? parameters.maxTokens ?? null) !== null;
      return mayRepeat && (await ledger.fact(factOf(id))) !== undefined ? [id] : [];
    }),
  );
  return found.flat();
}

/** A line for each model. */
export async function overrunTexts(ledger: Ledger, { models }: Spec): Promise<string[]> {
  const facts = await Promise.all(models.map(async ({ id }) => ({ id, fact: await ledger.fact(factOf(id)) })));
  return facts.flatMap(({ id, fact }) => {
    if (fact === undefined) return [];
    const { usd, allowed } = noted.parse(JSON.parse(fact));
    return [
      `a call of ${id} cost ${usdText(usd)}, and its request allows ${usdText(allowed)}: the endpoint counts more ` +
        'tokens than this allows, such as those of thoughts, which no budget can hold back',
    ];
  });
}
