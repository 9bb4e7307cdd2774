/**
 * A run's stored answers by page and step, and the latency of its models, to plan a resume or an extension. Those of a
 * sealed page are counted when it is sealed.
 */
import type { AnsweredStep } from '../../ledger-counts.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';
import { stepsOfPages } from './steps-sql.ts';

export const answeredSteps = (db: LedgerDatabase): AnsweredStep[] =>
  db
    .sql(
      `select page.page as page, step, answering_model as answeringModel, answers, samples, tokens, usd
       from (select * from page_answers union all ${stepsOfPages('not in (select page from page_answers)')}) as steps
       join page on page.id = steps.page order by page.page, step, answering_model`,
    )
    .all() as unknown as AnsweredStep[];

/** Call when a page is sealed. */
export function keepAnswered(db: LedgerDatabase, page: number): void {
  db.sql(`insert or replace into page_answers ${stepsOfPages('= ?')}`).run(page);
}

/** Call when a call of a sealed page ends, and when a page is opened again: its answers are counted on request. */
export const forgetAnswered = (db: LedgerDatabase, page: number): void =>
  void db.sql('delete from page_answers where page = ?').run(page);

/** Number of newest calls to look at: an endpoint's latency last week says little. */
const lookedAt = 2000;

/** Over the newest answers on the newest pages of the model's lanes. */
export function medianLatencyMs(db: LedgerDatabase, answeringModel: string): number | null {
  const pages = db
    .sql(
      `select id from page where lane in (select lane from lane_spend where answering_model = ? and answered > 0)
       order by id desc`,
    )
    .all(answeringModel);
  const found: number[] = [];
  for (const { id } of pages) {
    const left = lookedAt - found.length;
    if (left === 0) break;
    found.push(...latenciesOn(db, Number(id), answeringModel, left));
  }
  const sorted = found.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

const latenciesOn = (db: LedgerDatabase, page: number, answeringModel: string, most: number): number[] =>
  db
    .sql(
      `select latency_ms as ms from intent where page = ? and answering_model = ? and state = 'answered'
        and origin is null and latency_ms is not null order by id desc limit ?`,
    )
    .all(page, answeringModel, most)
    .map(({ ms }) => Number(ms));
