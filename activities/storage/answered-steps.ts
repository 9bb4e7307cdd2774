/** What a run has been answered already, by page and step, and how long its models took: for the plan of a resume or an extension. */
import type { LedgerDatabase } from './ledger-database.ts';
import type { AnsweredStep } from './ledger.ts';

/** A request's charge is shared evenly by the replies of it that count. */
export const answeredSteps = (db: LedgerDatabase): AnsweredStep[] =>
  db
    .sql(
      `with request as (select intent, count(*) as replies from reply group by intent)
       select page.page as page, sample.step as step, count(*) as samples, coalesce(sum(1.0 * charge.tokens / replies), 0) as tokens,
       coalesce(sum(charge.usd / replies), 0) as usd
       from sample join page on page.id = sample.page join reply on reply.call = sample.call join request on request.intent = reply.intent
       left join charge on charge.intent = reply.intent
       group by sample.page, sample.step order by page.page, sample.step`,
    )
    .all() as unknown as AnsweredStep[];

/** Of the newest calls only: what an endpoint was like last week says little. */
const lookedAt = 2000;

export function medianLatencyMs(db: LedgerDatabase, answeringModel: string): number | null {
  const rows = db
    .sql(
      `select latency_ms as ms from intent where answering_model = ? and state = 'answered' and origin is null and latency_ms is not null
       order by id desc limit ${lookedAt}`,
    )
    .all(answeringModel);
  const sorted = rows.map(({ ms }) => Number(ms)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
