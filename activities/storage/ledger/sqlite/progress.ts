/** Reads a run's progress, from running counts only, its latest failures, and its calls of this moment. */
import { stopsInForce } from './control.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import { countFactsUnder, factsUnder, findFact } from './results.ts';
import type { Statement } from './statement.ts';
import { waitingBatches } from './batches/waiting-batches.ts';
import { keyBytes } from './call-book.ts';
import type { CutAnswers, FailedCall, ModelCallsNow, Preparing, Progress } from '../ledger-counts.ts';
import {
  acceptedLossesPrefix,
  cutAnswersPrefix,
  failingUnder,
  mutationsPrefix,
  type NotedFailing,
  type NotedPreparing,
  preparingUnder,
} from '../noted-facts.ts';
import { finalFailures, finalFailuresPrefix, notAskedPrefix, withoutNotAsked } from '../uncounted.ts';
import { loadTotals, usdOfNano } from './totals.ts';

export function progressOf(db: LedgerDatabase): Progress {
  const totals = loadTotals(db.sql);
  const batches = waitingBatches(db);
  const lanes = db
    .sql('select study, model, cells, cells_done as cellsDone, answered from lane order by study, model')
    .all() as unknown as Progress['lanes'];
  const asked = withoutNotAsked(totals.answered, lanes, factsUnder(db, notAskedPrefix));
  return {
    pages: pageCounts(db),
    ...asked,
    failedCalls: totals.failed,
    lostCalls: totals.lost,
    liveIntents: totals.live,
    verdicts: totals.verdicts,
    references: Number(db.sql('select count(*) as count from reference').get()?.['count'] ?? 0),
    ...(totals.answered === 0 && mutatedTasks(db)),
    preparing: preparingNow(db, totals.epoch),
    failing: failingNow(db, totals.epoch),
    ...(batches.length > 0 && { batches }),
    spend: {
      reportedUsd: usdOfNano(totals.reportedNanoUsd),
      estimatedUsd: usdOfNano(totals.estimatedNanoUsd),
      unknownUsdCalls: totals.unknownUsdCalls,
      tokens: Number(totals.spentTokens),
    },
    failuresByReason: countsBy(db.sql('select reason as name, calls as count from failure_reason order by reason')),
    ...finalFailures(factsUnder(db, finalFailuresPrefix)),
    cutAnswers: cutAnswersOf(db, asked.lanes),
    ...acceptedLosses(db),
    disbelievedCalls: totals.disbelieved,
    unsentByReason: countsBy(db.sql('select reason as name, attempts as count from unsent_reason order by reason')),
    stopped: stopsInForce(db),
    failedPages: db
      .sql("select page, failure as reason from page where state = 'failed' order by id")
      .all() as unknown as Progress['failedPages'],
  };
}

function mutatedTasks(db: LedgerDatabase): Pick<Progress, 'mutated'> {
  const mutated = countFactsUnder(db, mutationsPrefix);
  return mutated === 0 ? {} : { mutated };
}

/** Oldest first. A process that was killed may have left others under an older epoch. */
const preparingNow = (db: LedgerDatabase, epoch: number): Preparing[] =>
  factsUnder(db, preparingUnder(epoch))
    .map((json) => JSON.parse(json) as NotedPreparing)
    .filter((noted) => !hasResult(db, noted))
    .map(({ benchmark, taskId, suite, sinceMs }) => ({ benchmark, taskId, suite, sinceMs }))
    .toSorted((a, b) => a.sinceMs - b.sinceMs);

const hasResult = (db: LedgerDatabase, { suite, result }: NotedPreparing): boolean =>
  suite === null
    ? findFact(db, result) !== undefined
    : db.sql('select 1 as found from reference where reference_key = ?').get(keyBytes(result)) !== undefined;

/** The newest streak of each model that has answered nothing since, oldest first. */
const failingNow = (db: LedgerDatabase, epoch: number): NotedFailing[] => {
  const noted = factsUnder(db, failingUnder(epoch)).map((json) => JSON.parse(json) as NotedFailing);
  const newest = new Map(noted.map((one) => [one.answeringModel, one]));
  return [...newest.values()].filter((one) => !hasAnsweredSince(db, one)).toSorted((a, b) => a.sinceMs - b.sinceMs);
};

/** Among the newest calls: a streak ends with one of them. */
const hasAnsweredSince = (db: LedgerDatabase, { answeringModel, sinceMs }: NotedFailing): boolean =>
  db
    .sql(
      `select 1 as found from (select * from intent order by id desc limit 2000)
       where answering_model = ? and state = 'answered' and started_at_ms + coalesce(latency_ms, 0) > ? limit 1`,
    )
    .get(answeringModel, sinceMs) !== undefined;

function acceptedLosses(db: LedgerDatabase): Pick<Progress, 'acceptedLosses'> {
  const noted = factsUnder(db, acceptedLossesPrefix).map((json) => JSON.parse(json) as { replies: number });
  return noted.length === 0 ? {} : { acceptedLosses: noted.reduce((sum, { replies }) => sum + replies, 0) };
}

function cutAnswersOf(db: LedgerDatabase, lanes: Progress['lanes']): CutAnswers[] {
  const noted = factsUnder(db, cutAnswersPrefix).map((json) => JSON.parse(json) as { model: string; answers: number });
  return [...Map.groupBy(noted, ({ model }) => model)]
    .map(([model, facts]) => {
      const own = lanes.filter((lane) => lane.model === model);
      return {
        model,
        cut: facts.reduce((sum, { answers }) => sum + answers, 0),
        answered: own.length === 0 ? null : own.reduce((sum, { answered }) => sum + answered, 0),
      };
    })
    .toSorted((a, b) => (a.model < b.model ? -1 : 1));
}

/** Searches from the newest intent backwards, so it is quick unless the last failure is long ago. */
export const latestFailures = (db: LedgerDatabase, most: number): FailedCall[] =>
  db
    .sql(
      `select study, model, answering_model as answeringModel, step, intent.failure as reason,
         cast(started_at_ms + coalesce(latency_ms, 0) as integer) as atMs
       from (select * from intent where state = 'failed' order by id desc limit ?) as intent
       join page on page.id = intent.page join lane on lane.id = page.lane
       order by intent.id desc`,
    )
    .all(most) as unknown as FailedCall[];

/** Newest calls that are looked at for latencies: enough for a median of some models, and quick in every run. */
const lookedAt = 4_000;

export function callsNow(db: LedgerDatabase): ModelCallsNow[] {
  const open = db
    .sql(
      `select answering_model as model, count(*) as calls, min(started_at_ms) as sinceMs,
         sum(case when free then 0 else estimated_usd end) as usd,
         count(case when free or estimated_usd is not null then 1 end) as priced
       from intent where state = 'open' group by answering_model`,
    )
    .all();
  const answered = db
    .sql(
      `select answering_model as model, latency_ms as ms from (select * from intent order by id desc limit ?)
       where state = 'answered' and origin is null and latency_ms is not null`,
    )
    .all(lookedAt);
  const latencies = Map.groupBy(answered, ({ model }) => String(model));
  const openOf = new Map(open.map((row) => [String(row['model']), row]));
  return [...new Set([...openOf.keys(), ...latencies.keys()])].toSorted().map((answeringModel) => {
    const row = openOf.get(answeringModel);
    return {
      answeringModel,
      inFlight: Number(row?.['calls'] ?? 0),
      oldestSentMs: row === undefined ? null : Number(row['sinceMs']),
      inFlightUsd: row === undefined || row['priced'] === row['calls'] ? Number(row?.['usd'] ?? 0) : null,
      medianLatencyMs: median((latencies.get(answeringModel) ?? []).map(({ ms }) => Number(ms))),
    };
  });
}

/** The upper one of two in the middle; null of nothing. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

const pageCounts = (db: LedgerDatabase): Progress['pages'] =>
  db
    .sql(
      'select coalesce(sum(pages), 0) as total, coalesce(sum(sealed), 0) as sealed, coalesce(sum(failed), 0) as ' +
        'failed from lane',
    )
    .get() as unknown as Progress['pages'];

const countsBy = (counts: Statement): Record<string, number> =>
  Object.fromEntries(counts.all().map(({ name, count }) => [String(name), Number(count)]));
