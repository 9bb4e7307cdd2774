/** Reads a run's progress, from running counts only, and its latest failures. */
import { stopsInForce } from './control.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { Statement } from './statement.ts';
import type { FailedCall, Progress } from './ledger-counts.ts';
import { loadTotals, usdOfNano } from './totals.ts';

export function progressOf(db: LedgerDatabase): Progress {
  const totals = loadTotals(db.sql);
  return {
    pages: pageCounts(db),
    lanes: db
      .sql('select study, model, cells, cells_done as cellsDone, answered from lane order by study, model')
      .all() as unknown as Progress['lanes'],
    answered: totals.answered,
    failedCalls: totals.failed,
    lostCalls: totals.lost,
    liveIntents: totals.live,
    verdicts: totals.verdicts,
    references: Number(db.sql('select count(*) as count from reference').get()?.['count'] ?? 0),
    spend: {
      reportedUsd: usdOfNano(totals.reportedNanoUsd),
      estimatedUsd: usdOfNano(totals.estimatedNanoUsd),
      unknownUsdCalls: totals.unknownUsdCalls,
      tokens: Number(totals.spentTokens),
    },
    failuresByReason: countsBy(db.sql('select reason as name, calls as count from failure_reason order by reason')),
    disbelievedCalls: totals.disbelieved,
    unsentByReason: countsBy(db.sql('select reason as name, attempts as count from unsent_reason order by reason')),
    stopped: stopsInForce(db),
    failedPages: db
      .sql("select page, failure as reason from page where state = 'failed' order by id")
      .all() as unknown as Progress['failedPages'],
  };
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

const pageCounts = (db: LedgerDatabase): Progress['pages'] =>
  db
    .sql(
      'select coalesce(sum(pages), 0) as total, coalesce(sum(sealed), 0) as sealed, coalesce(sum(failed), 0) as ' +
        'failed from lane',
    )
    .get() as unknown as Progress['pages'];

const countsBy = (counts: Statement): Record<string, number> =>
  Object.fromEntries(counts.all().map(({ name, count }) => [String(name), Number(count)]));
