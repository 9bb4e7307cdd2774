/** A run's stored answers by page and step, and the latency of its models, to plan a resume or an extension. */
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { AnsweredStep } from './ledger-counts.ts';

/**
 * A reply used by several cells counts for the first of them; a request's charge is divided evenly
 * among its replies in use.
 */
export const answeredSteps = (db: LedgerDatabase): AnsweredStep[] =>
  db
    .sql(
      `with request as (select intent, count(*) as replies from reply group by intent),
       used as (
         select call, page, step, row_number() over (partition by call order by page, cell, step, loop, ask, sample) = 1
           as asks,
         row_number() over (partition by call, page, step order by cell, loop, ask, sample) = 1 as counts from sample)
       select page.page as page, used.step as step, intent.answering_model as answeringModel,
         sum(counts) as answers, sum(asks) as samples,
       coalesce(sum(case when asks then 1.0 * charge.tokens / replies end), 0) as tokens,
         coalesce(sum(case when asks then charge.usd / replies end), 0) as usd
       from used join page on page.id = used.page join reply on reply.call = used.call join request
         on request.intent = reply.intent
       join intent on intent.id = reply.intent
       left join charge on charge.intent = reply.intent
       group by used.page, used.step, answeringModel order by page.page, used.step, answeringModel`,
    )
    .all() as unknown as AnsweredStep[];

/** Of the answers whose endpoint reported tokens of thoughts. */
export function meanThoughts(db: LedgerDatabase, study: string, answeringModel: string): number | null {
  const row = db
    .sql(
      `select sum(charge.reasoning_tokens) * 1.0
         / sum((select count(*) from reply where reply.intent = intent.id)) as mean
       from intent join charge on charge.intent = intent.id join page on page.id = intent.page
       join lane on lane.id = page.lane
       where intent.answering_model = ? and lane.study = ? and intent.state = 'answered' and intent.origin is null
         and charge.reasoning_tokens is not null`,
    )
    .get(answeringModel, study);
  return row?.['mean'] == null ? null : Number(row['mean']);
}

/** Number of newest calls to look at: an endpoint's latency last week says little. */
const lookedAt = 2000;

export function medianLatencyMs(db: LedgerDatabase, answeringModel: string): number | null {
  const rows = db
    .sql(
      `select latency_ms as ms from intent where answering_model = ? and state = 'answered' and origin is null
        and latency_ms is not null
       order by id desc limit ${lookedAt}`,
    )
    .all(answeringModel);
  const sorted = rows.map(({ ms }) => Number(ms)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
