/** A run's progress on PostgreSQL, from running counts only: one statement, and more while something takes long. */
import type { CutAnswers, Preparing, Progress } from '../../../ledger/ledger-counts.ts';
import {
  acceptedLossesPrefix,
  cutAnswersPrefix,
  failingUnder,
  mutationsPrefix,
  type NotedFailing,
  type NotedPreparing,
  preparingUnder,
} from '../../../ledger/noted-facts.ts';
import { finalFailures, finalFailuresPrefix, notAskedPrefix, withoutNotAsked } from '../../../ledger/uncounted.ts';
import type { Query } from '../../postgres.ts';
import type { Results } from '../../../ledger/results.ts';
import { fromStored } from '../texts.ts';
import { waitingBatches } from './waiting-batches.ts';

/** Sums of money and tokens as numbers. */
interface Counted {
  readonly total: Readonly<Record<TotalName, number>>;
  readonly epoch: number;
  readonly verdicts: number;
  readonly references: number;
  readonly lanes: readonly LaneRow[] | null;
  readonly ended: readonly { readonly sent: boolean; readonly reason: string; readonly calls: number }[] | null;
  readonly stopped: Progress['stopped'] | null;
  readonly failed: Progress['failedPages'] | null;
  readonly batched: boolean;
}

type TotalName =
  | 'reported_nano_usd'
  | 'estimated_nano_usd'
  | 'unknown_usd_calls'
  | 'spent_tokens'
  | 'answered'
  | 'failed'
  | 'lost'
  | 'live'
  | 'disbelieved';

type LaneRow = Progress['lanes'][number] & Progress['pages'];

/** Numbers in JSON: bigints as rows would be texts. */
const counted = `select
  (select to_jsonb(run_total) from run_total where run = $1) as total,
  (select epoch from run_epoch where run = $1) as epoch,
  (select verdicts from result_total where run = $1)::float8 as verdicts,
  (select reference_runs from result_total where run = $1)::float8 as references,
  (select jsonb_agg(jsonb_build_object('study', study, 'model', model, 'cells', cells, 'cellsDone', cells_done,
      'answered', (select coalesce(sum(samples), 0) from lane_spend where run = $1 and lane = lane.id),
      'total', pages, 'sealed', sealed, 'failed', failed) order by study collate "C", model collate "C")
    from lane where run = $1) as lanes,
  (select jsonb_agg(jsonb_build_object('sent', sent, 'reason', reason, 'calls', calls) order by reason collate "C")
    from ended_without_reply where run = $1) as ended,
  (select jsonb_agg(jsonb_build_object('model', coalesce(model, '*'), 'reason', reason, 'detail', detail)
      order by coalesce(model, '*') collate "C")
    from (select distinct on (model) * from control where run = $1 order by model, id desc) as newest
    where reason is not null) as stopped,
  (select jsonb_agg(jsonb_build_object('page', page, 'reason', failure) order by id)
    from plan_page where run = $1 and state = 'failed') as failed,
  exists (select from batch_line where run = $1) as batched`;

export async function progressOf(query: Query, run: number, results: Results): Promise<Progress> {
  const [row] = await query<{ [Name in keyof Counted]: Counted[Name] }>(counted, [run]);
  if (row === undefined) throw new Error(`the ledger has no run ${run}`);
  const { total, epoch } = row;
  const lanes = row.lanes ?? [];
  const asked = withoutNotAsked(
    total.answered,
    lanes.map(({ study, model, cells, cellsDone, answered }) => ({ study, model, cells, cellsDone, answered })),
    await results.facts(notAskedPrefix),
  );
  const ended = (row.ended ?? []).map((one) => ({ ...one, reason: fromStored(one.reason) }));
  const countsBy = (isSent: boolean) =>
    Object.fromEntries(ended.filter(({ sent }) => sent === isSent).map(({ reason, calls }) => [reason, calls]));
  const batches = row.batched ? await waitingBatches(query, run) : [];
  return {
    pages: {
      total: sum(lanes.map((lane) => lane.total)),
      sealed: sum(lanes.map((lane) => lane.sealed)),
      failed: sum(lanes.map((lane) => lane.failed)),
    },
    ...asked,
    failedCalls: total.failed,
    lostCalls: total.lost,
    liveIntents: total.live,
    verdicts: row.verdicts,
    references: row.references,
    ...(total.answered === 0 && (await mutatedTasks(query, run))),
    preparing: await preparingNow(results, epoch),
    failing: await failingNow(query, run, results, epoch),
    ...(batches.length > 0 && { batches }),
    spend: {
      reportedUsd: total.reported_nano_usd / 1e9,
      estimatedUsd: total.estimated_nano_usd / 1e9,
      unknownUsdCalls: total.unknown_usd_calls,
      tokens: total.spent_tokens,
    },
    failuresByReason: countsBy(true),
    ...finalFailures(await results.facts(finalFailuresPrefix)),
    cutAnswers: await cutAnswersOf(results, asked.lanes),
    ...(await acceptedLosses(results)),
    disbelievedCalls: total.disbelieved,
    unsentByReason: countsBy(false),
    stopped: (row.stopped ?? []).map((stop) => ({ ...stop, detail: fromStored(stop.detail) })),
    failedPages: (row.failed ?? []).map(({ page, reason }) => ({ page, reason: fromStored(reason) })),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const parsed = <T>(facts: readonly string[]): T[] => facts.map((json) => JSON.parse(json) as T);

async function mutatedTasks(query: Query, run: number): Promise<Pick<Progress, 'mutated'>> {
  const sql = 'select count(*)::float8 as mutated from fact where run = $1 and starts_with(name, $2)';
  const [{ mutated } = { mutated: 0 }] = await query<{ mutated: number }>(sql, [run, mutationsPrefix]);
  return mutated === 0 ? {} : { mutated };
}

/** Oldest first. A process that was killed may have left others under an older epoch. */
async function preparingNow(results: Results, epoch: number): Promise<Preparing[]> {
  const noted = parsed<NotedPreparing>(await results.facts(preparingUnder(epoch)));
  if (noted.length === 0) return [];
  const keysOf = (isReference: boolean): string[] =>
    noted.filter(({ suite }) => (suite !== null) === isReference).map(({ result }) => result);
  const references = await results.references(keysOf(true));
  const mutations = await results.factsNamed(keysOf(false));
  return noted
    .filter(({ result }) => !references.has(result) && !mutations.has(result))
    .map(({ benchmark, taskId, suite, sinceMs }) => ({ benchmark, taskId, suite, sinceMs }))
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
}

/** The newest streak of each model that has answered nothing since, oldest first. */
async function failingNow(query: Query, run: number, results: Results, epoch: number): Promise<NotedFailing[]> {
  const noted = parsed<NotedFailing>(await results.facts(failingUnder(epoch)));
  const newest = [...new Map(noted.map((one) => [one.answeringModel, one])).values()];
  if (newest.length === 0) return [];
  const answered = await query<{ readonly model: string; readonly at_ms: number }>(
    `select answering_model as model, max(extract(epoch from started_at) * 1000 + coalesce(latency_ms, 0))::float8
       as at_ms
     from (select * from intent where run = $1 order by id desc limit 2000) as newest
     where state = 'answered' group by answering_model`,
    [run],
  );
  const lastMs = new Map(answered.map(({ model, at_ms }) => [model, at_ms]));
  return newest
    .filter(({ answeringModel, sinceMs }) => !((lastMs.get(answeringModel) ?? -Infinity) > sinceMs))
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
}

/** Of a run that was moved here. */
async function acceptedLosses(results: Results): Promise<Pick<Progress, 'acceptedLosses'>> {
  const noted = parsed<{ replies: number }>(await results.facts(acceptedLossesPrefix));
  return noted.length === 0 ? {} : { acceptedLosses: sum(noted.map(({ replies }) => replies)) };
}

async function cutAnswersOf(results: Results, lanes: Progress['lanes']): Promise<CutAnswers[]> {
  const noted = parsed<{ model: string; answers: number }>(await results.facts(cutAnswersPrefix));
  return [...Map.groupBy(noted, ({ model }) => model)]
    .map(([model, facts]) => {
      const own = lanes.filter((lane) => lane.model === model);
      return {
        model,
        cut: sum(facts.map(({ answers }) => answers)),
        answered: own.length === 0 ? null : sum(own.map(({ answered }) => answered)),
      };
    })
    .toSorted((one, other) => (one.model < other.model ? -1 : 1));
}
