/**
 * Spending of each study and model, kept as sums that change with each call: to sum ten million calls on request takes
 * a minute.
 */
import type { CostBasis } from '../../../../../schemas/states.ts';
import type { LaneSpend, ReusedAnswers } from '../../ledger-counts.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';
import { callNanoUsd, type Totals, usdOfNano } from '../totals.ts';
import { onceWithin } from '../within-transaction.ts';
import { forgetAnswered } from './answered-steps.ts';

/** A call that ended, or (sign -1) whose end no longer counts. */
export interface EndedCall {
  /** The page that sent it, even if others use its answer. */
  readonly page: number;
  readonly answeringModel: string;
  readonly state: 'answered' | 'failed' | 'lost';
  readonly usd: number | null;
  readonly basis: CostBasis;
  readonly tokens: number;
  /** Answers whose tokens of thoughts were reported, and those tokens. */
  readonly thoughts?: { readonly answers: number; readonly tokens: number } | undefined;
}

const counts = ['answered', 'failed', 'lost', 'unknown_usd_calls', 'thinking_answers', 'thinking_tokens'] as const;
const sums = [...counts, 'tokens', 'reported_nano_usd', 'estimated_nano_usd'] as const;

const addText =
  `insert into lane_spend (lane, answering_model, ${sums.join(', ')}) values (?, ?${', ?'.repeat(sums.length)}) ` +
  `on conflict do update set ${sums.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;

export function addToLane(db: LedgerDatabase, totals: Totals, call: EndedCall, sign: 1 | -1): void {
  const { lane, state } = onceWithin(totals, `lane of page ${call.page}`, () => laneOf(db, call.page));
  const { usd, basis, tokens, thoughts } = call;
  const nano = usd === null ? 0n : callNanoUsd(usd);
  const values: Record<(typeof sums)[number], number | bigint> = {
    answered: call.state === 'answered' ? sign : 0,
    failed: call.state === 'failed' ? sign : 0,
    lost: call.state === 'lost' ? sign : 0,
    unknown_usd_calls: usd === null ? sign : 0,
    thinking_answers: sign * (thoughts?.answers ?? 0),
    thinking_tokens: sign * (thoughts?.tokens ?? 0),
    tokens: sign * tokens,
    reported_nano_usd: basis === 'estimated' ? 0n : BigInt(sign) * nano,
    estimated_nano_usd: basis === 'estimated' ? BigInt(sign) * nano : 0n,
  };
  db.sql(addText).run(lane, call.answeringModel, ...sums.map((name) => values[name]));
  if (state === 'sealed') forgetAnswered(db, call.page);
}

const laneOf = (db: LedgerDatabase, page: number): { lane: number; state: string } =>
  db.sql('select lane, state from page where id = ?').get(page) as unknown as { lane: number; state: string };

/** A call counts once, for the study and model whose page sent it, even if others use its answer. */
export const spendByLane = (db: LedgerDatabase): LaneSpend[] =>
  db
    .sql(
      `select study, model, answering_model as answeringModel, lane_spend.answered, lane_spend.failed, lost, tokens,
         reported_nano_usd as reported, estimated_nano_usd as estimated, unknown_usd_calls as unknownUsdCalls
       from lane_spend join lane on lane.id = lane_spend.lane
       where lane_spend.answered + lane_spend.failed + lost > 0 order by study, model, answeringModel`,
      'bigint',
    )
    .all()
    .map(({ study, model, answeringModel, reported, estimated, ...numbers }) => ({
      ...{ study: String(study), model: String(model), answeringModel: String(answeringModel) },
      ...(Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])) as Omit<
        LaneSpend,
        'study' | 'model' | 'answeringModel' | 'reportedUsd' | 'estimatedUsd'
      >),
      ...{ reportedUsd: usdOfNano(reported as bigint), estimatedUsd: usdOfNano(estimated as bigint) },
    }));

export const reusedByLane = (db: LedgerDatabase): ReusedAnswers[] =>
  db
    .sql(
      `select study, model, answering_model as answeringModel, count(*) as answers
       from intent join page on page.id = intent.page join lane on lane.id = page.lane
       where origin is not null group by study, model, answeringModel order by study, model, answeringModel`,
    )
    .all()
    .map((row) => ({ ...(row as unknown as ReusedAnswers) }));

/** The models that have answered any call, in any role. */
export const answeredModels = (db: LedgerDatabase): ReadonlySet<string> =>
  new Set(
    db
      .sql('select distinct answering_model as model from lane_spend where answered > 0')
      .all()
      .map(({ model }) => String(model)),
  );

/** Of the answers whose endpoint reported tokens of thoughts. */
export function meanThoughts(db: LedgerDatabase, study: string, answeringModel: string): number | null {
  const row = db
    .sql(
      `select sum(thinking_tokens) * 1.0 / sum(thinking_answers) as mean
       from lane_spend join lane on lane.id = lane_spend.lane where answering_model = ? and study = ?`,
    )
    .get(answeringModel, study);
  return row?.['mean'] == null ? null : Number(row['mean']);
}
