/** The spending of each study and model of a run, summed on request, so that calls never wait for sums. */
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { LaneSpend } from './ledger-counts.ts';

/** A call counts once, for the study and model whose page sent it, even if others use its answer. */
export const spendByLane = (db: LedgerDatabase): LaneSpend[] =>
  db
    .sql(
      `select lane.study as study, lane.model as model, answering_model as answeringModel,
       count(*) filter (where intent.state = 'answered') as answered, count(*) filter (where intent.state = 'failed')
         as failed,
       count(*) filter (where intent.state = 'lost') as lost, total(charge.tokens) as tokens,
       total(usd) filter (where basis <> 'estimated') as reportedUsd, total(usd) filter (where basis = 'estimated')
         as estimatedUsd,
       count(*) filter (where usd is null) as unknownUsdCalls
       from charge join intent on intent.id = charge.intent join page on page.id = intent.page join lane
         on lane.id = page.lane
       group by lane.id, answering_model order by study, model, answeringModel`,
    )
    .all() as unknown as LaneSpend[];
