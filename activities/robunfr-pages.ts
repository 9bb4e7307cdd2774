/** Opens pages of RobuNFR. */
import type { PageRef, RobunfrPage } from '../schemas/steps.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Runs } from './runs.ts';

export const createRobunfrPages = ({ runs, heartbeat }: { readonly runs: Runs; readonly heartbeat: Heartbeat }) => ({
  openRobunfrPage: (ref: PageRef): Promise<RobunfrPage> =>
    heartbeat(async () => {
      const { run, cells } = await runs.page(ref);
      const enhanced = cells.flatMap(({ setting }, index) => (setting === 'nfr-enhanced' ? [index] : []));
      return { sealed: run.ledger.pageState(ref.page) === 'sealed', cells: cells.length, enhanced };
    }),
});
