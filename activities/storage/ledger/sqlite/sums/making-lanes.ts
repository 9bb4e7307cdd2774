/** The part of a run's lanes that makes the prompts of a study. */
import type { Progress } from '../../ledger-counts.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';

/** By the names that `studies/plan.ts` gives: `study/model/v1p0000`, where other pages have `r1p0000`. */
export const makingLanes = (db: LedgerDatabase): Progress['lanes'] =>
  db
    .sql(
      `select study, model, sum(page.cells) as cells, sum(page.cells_done) as cellsDone,
         sum((select count(*) from sample where sample.page = page.id)) as answered
       from page join lane on lane.id = page.lane where page.page glob '*/*/v[0-9]*'
       group by lane.id order by study, model`,
    )
    .all() as unknown as Progress['lanes'];
