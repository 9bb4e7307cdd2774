/** Opens pages of EVALOOP: the attacked prompts of their tasks are made, or found where another model or run has made them. */
import type { EvaloopPage, PageRef } from '../schemas/steps.ts';
import { loopCourse } from '../studies/evaloop/steps.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Runs } from './runs.ts';
import { promptedCells, type VariantCache } from './variant-sets.ts';

export interface EvaloopPagesDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly cache: VariantCache;
}

export function createEvaloopPages({ runs, heartbeat, cache }: EvaloopPagesDependencies) {
  return {
    openEvaloopPage: (ref: PageRef): Promise<EvaloopPage> =>
      heartbeat(async () => {
        const page = await runs.page(ref);
        if (page.study.kind !== 'evaloop') throw new Error(`page ${ref.page} belongs to a study that is no evaloop`);
        const { maxLoops, judge, judgeAsks } = page.study.settings;
        const course = { course: loopCourse(page.study), maxLoops, judged: judge !== 'none', judgeAsks };
        if (page.run.ledger.pageState(ref.page) === 'sealed') return { sealed: true, cells: [], ...course };
        return { sealed: false, cells: await promptedCells(page, cache), ...course };
      }),
  };
}
