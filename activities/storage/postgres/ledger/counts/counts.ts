/** What a ledger counts, on PostgreSQL: from sums that change with each call, and from the newest calls. */
import type {
  AnsweredStep,
  Counts,
  FailedCall,
  LaneSpend,
  ModelCallsNow,
  Progress,
  ReusedAnswers,
} from '../../../ledger/ledger-counts.ts';
import type { Results } from '../../../ledger/results.ts';
import type { Postgres, Query } from '../../postgres.ts';
import { fromStored } from '../texts.ts';
import { progressOf } from './progress.ts';

export function counts(database: Postgres, run: number, results: Results): Counts {
  const { query } = database;
  return {
    progress: () => progressOf(query, run, results),
    latestFailures: (most) => latestFailures(query, run, most),
    callsNow: () => callsNow(query, run),
    spendByLane: () => query<Row<LaneSpend>>(spendByLane, [run]),
    reusedByLane: () => query<Row<ReusedAnswers>>(reusedByLane, [run]),
    makingLanes: () => query<Row<Progress['lanes'][number]>>(makingLanes, [run]),
    async answeredModels() {
      const sql = 'select distinct answering_model as model from lane_spend where run = $1 and answered > 0';
      return new Set((await query<{ readonly model: string }>(sql, [run])).map(({ model }) => model));
    },
    answeredSteps: () => query<Row<AnsweredStep>>(answeredSteps, [run]),
    async meanThoughts(study, answeringModel) {
      const [row] = await query<{ readonly mean: number | null }>(
        `select (sum(thinking_tokens) / nullif(sum(thinking_answers), 0))::float8 as mean
         from lane_spend join lane on lane.run = lane_spend.run and lane.id = lane
         where lane_spend.run = $1 and study = $2 and answering_model = $3`,
        [run, study, answeringModel],
      );
      return row?.mean ?? null;
    },
    medianLatencyMs: (answeringModel) => medianLatencyMs(query, run, answeringModel),
  };
}

/** As the library wants rows: a type, no interface. */
type Row<T> = { [Field in keyof T]: T[Field] };

/** A call counts once, for the study and model whose page sent it, even if others use its answer. */
const spendByLane = `select study, model, answering_model as "answeringModel", answered::float8 as answered,
    lane_spend.failed::float8 as failed, lost::float8 as lost, tokens::float8 as tokens,
    reported_nano_usd::float8 / 1e9 as "reportedUsd", estimated_nano_usd::float8 / 1e9 as "estimatedUsd",
    unknown_usd_calls::float8 as "unknownUsdCalls"
  from lane_spend join lane on lane.run = lane_spend.run and lane.id = lane
  where lane_spend.run = $1 and answered + lane_spend.failed + lost > 0
  order by study collate "C", model collate "C", answering_model collate "C"`;

/** By the names that `studies/plan.ts` gives: `study/model/v1p0000`, where other pages have `r1p0000`. */
const makingLanes = `select study, model, sum(plan_page.cells)::float8 as cells,
    sum(plan_page.cells_done)::float8 as "cellsDone",
    sum((select count(*) from sample where sample.page = plan_page.id))::float8 as answered
  from plan_page join lane on lane.run = $1 and lane.id = plan_page.lane
  where plan_page.run = $1 and plan_page.page ~ '/v[0-9]+p[0-9]+$'
  group by study, model order by study collate "C", model collate "C"`;

const reusedByLane = `select study, model, answering_model as "answeringModel", count(*)::float8 as answers
  from intent join plan_page on plan_page.run = $1 and plan_page.id = intent.page
  join lane on lane.run = $1 and lane.id = plan_page.lane
  where intent.run = $1 and origin is not null group by study, model, answering_model
  order by study collate "C", model collate "C", answering_model collate "C"`;

/** Those of sealed pages are stored. */
const answeredSteps = `select page, steps.step, steps.answering_model as "answeringModel", answers::float8 as answers,
    samples::float8 as samples, tokens, usd
  from (
    select page as id, step, answering_model, answers, samples, tokens, usd from page_answers where run = $1
    union all
    select id, step, answering_model, answers, samples, tokens, usd
    from plan_page cross join lateral page_steps(id)
    where run = $1 and not exists (select from page_answers where run = $1 and page = plan_page.id)
  ) as steps join plan_page on plan_page.run = $1 and plan_page.id = steps.id
  order by page, step collate "C", steps.answering_model collate "C"`;

async function latestFailures(query: Query, run: number, most: number): Promise<FailedCall[]> {
  const rows = await query<Row<FailedCall>>(
    `select study, model, answering_model as "answeringModel", step, intent.failure as reason,
       floor(extract(epoch from started_at) * 1000 + coalesce(latency_ms, 0))::float8 as "atMs"
     from (select intent from failed_intent where run = $1 order by intent desc limit $2) as newest
     join intent on intent.run = $1 and intent.id = newest.intent
     join plan_page on plan_page.run = $1 and plan_page.id = intent.page
     join lane on lane.run = $1 and lane.id = plan_page.lane order by intent.id desc`,
    [run, most],
  );
  return rows.map((row) => ({ ...row, reason: fromStored(row.reason) }));
}

/** Newest calls that are looked at for latencies: enough for a median of some models, and quick in every run. */
const lookedAt = 4_000;

interface OpenCalls {
  readonly model: string;
  readonly calls: number;
  readonly since_ms: number;
  readonly usd: number | null;
}

async function callsNow(query: Query, run: number): Promise<ModelCallsNow[]> {
  const open = await query<Row<OpenCalls>>(
    `select answering_model as model, count(*)::float8 as calls,
       floor(min(extract(epoch from started_at)) * 1000)::float8 as since_ms,
       case when bool_and(free or estimated_usd is not null)
         then sum(case when free then 0 else estimated_usd end)::float8 end as usd
     from intent where run = $1 and state = 'open' and id in (
       select intent from live_call where run = $1 and unit is not null
     ) group by answering_model`,
    [run],
  );
  const answered = await query<{ readonly model: string; readonly ms: number }>(
    `select answering_model as model, latency_ms as ms
     from (select * from intent where run = $1 order by id desc limit $2) as newest
     where state = 'answered' and origin is null and latency_ms is not null`,
    [run, lookedAt],
  );
  const latencies = Map.groupBy(answered, ({ model }) => model);
  const openOf = new Map(open.map((row) => [row.model, row]));
  return [...new Set([...openOf.keys(), ...latencies.keys()])].toSorted().map((answeringModel) => ({
    answeringModel,
    inFlight: openOf.get(answeringModel)?.calls ?? 0,
    oldestSentMs: openOf.get(answeringModel)?.since_ms ?? null,
    inFlightUsd: openOf.has(answeringModel) ? (openOf.get(answeringModel)?.usd ?? null) : 0,
    medianLatencyMs: median((latencies.get(answeringModel) ?? []).map(({ ms }) => ms)),
  }));
}

/** Newest answers on the newest pages of the model's lanes: an endpoint's latency last week says little. */
async function medianLatencyMs(query: Query, run: number, answeringModel: string): Promise<number | null> {
  const rows = await query<{ readonly ms: number }>(
    `select ms from (
       select id from plan_page where run = $1 and lane in (
         select lane from lane_spend where run = $1 and answering_model = $2 and answered > 0
       ) order by id desc
     ) as pages cross join lateral (
       select latency_ms as ms from intent where run = $1 and page = pages.id and answering_model = $2
       and state = 'answered' and origin is null and latency_ms is not null order by intent.id desc limit $3
     ) as newest limit $3`,
    [run, answeringModel, 2_000],
  );
  return median(rows.map(({ ms }) => ms));
}

/** The upper one of two in the middle; null of nothing. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
