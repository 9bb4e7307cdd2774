/**
 * Opens pages of EVALOOP: generates the attacked prompts of their tasks, or reuses those that
 * another model or run generated.
 */
import type { StepName } from '../../schemas/states.ts';
import type { OpenPage } from '../page-steps.ts';
import { judgementsOf, judgePanel } from './judges.ts';
import { loopCourse } from './steps.ts';
import type { EvaloopStudy } from './settings.ts';

/** What EVALOOP's workflow needs to know about its page. */
export interface EvaloopPage {
  readonly sealed: boolean;
  /** The steps of a loop before its code is tested, in order. */
  readonly course: readonly [StepName, ...StepName[]];
  /** Indices of the cells with a first prompt: an attack that changes nothing leaves none. */
  readonly cells: readonly number[];
  readonly maxLoops: number;
  readonly judged: boolean;
  /** Judgements of each break, of all judges; absent in sweeps of an earlier version: one. */
  readonly judgements?: number;
  readonly judgeAsks: number;
}

export const evaloopPageSteps = {
  openEvaloopPage: async (study: EvaloopStudy, page: OpenPage): Promise<EvaloopPage> => {
    const { maxLoops, judgeAsks } = study.settings;
    const judgements = judgementsOf(judgePanel(study.settings)).length;
    const cells = page.sealed ? [] : await page.promptedCells();
    const judged = judgements > 0;
    return { sealed: page.sealed, cells, course: loopCourse(study), maxLoops, judged, judgements, judgeAsks };
  },
};
