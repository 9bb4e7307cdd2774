/** Opens pages of translation chains: a chain starts where the reference passes its own tests. */
import type { ChainPage, PageRef } from '../schemas/steps.ts';
import type { Task } from '../schemas/task.ts';
import { referenceKey } from './execution-key.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { RunPage, Runs } from './runs.ts';

export const createChainPages = ({ runs, heartbeat }: { readonly runs: Runs; readonly heartbeat: Heartbeat }) => ({
  openChainPage: (ref: PageRef): Promise<ChainPage> =>
    heartbeat(async () => {
      const page = await runs.page(ref);
      if (page.study.kind !== 'evaloop-translation') throw new Error(`page ${ref.page} belongs to a study that is no chain`);
      const { through, scoring } = page.study.settings;
      return {
        sealed: page.run.ledger.pageState(ref.page) === 'sealed',
        started: page.cells.flatMap(({ taskId }, index) => (starts(page, page.task(taskId)) ? [index] : [])),
        steps: through.length,
        endsAtFailure: scoring === 'squares',
      };
    }),
});

const starts = ({ run }: RunPage, task: Task): boolean =>
  task.suites.every((suite) => run.ledger.reference(referenceKey(run.sandbox, task, suite))?.outcome === 'pass');
