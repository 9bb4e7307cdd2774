/** How far a run is, read from running counts only. */
import { stopsInForce } from './control.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import type { Progress } from './ledger.ts';
import { loadTotals } from './totals.ts';

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
      reportedUsd: totals.reportedNanoUsd / 1e9,
      estimatedUsd: totals.estimatedNanoUsd / 1e9,
      unknownUsdCalls: totals.unknownUsdCalls,
      tokens: totals.spentTokens,
    },
    failuresByReason: failuresByReason(db),
    stopped: stopsInForce(db),
    failedPages: db
      .sql("select page, failure as reason from page where state = 'failed' order by id")
      .all() as unknown as Progress['failedPages'],
  };
}

const pageCounts = (db: LedgerDatabase): Progress['pages'] =>
  db
    .sql('select coalesce(sum(pages), 0) as total, coalesce(sum(sealed), 0) as sealed, coalesce(sum(failed), 0) as failed from lane')
    .get() as unknown as Progress['pages'];

const failuresByReason = (db: LedgerDatabase): Record<string, number> =>
  Object.fromEntries(
    db
      .sql('select reason, calls from failure_reason order by reason')
      .all()
      .map(({ reason, calls }) => [String(reason), Number(calls)]),
  );
