/**
 * Opens pages of EVALOOP: generates the attacked prompts of their tasks, or reuses those that
 * another model or run generated.
 */
import type { StepName } from '../../schemas/states.ts';
import type { OpenPage } from '../page-steps.ts';
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
  readonly judgeAsks: number;
}

export const evaloopPageSteps = {
  openEvaloopPage: async (study: EvaloopStudy, page: OpenPage): Promise<EvaloopPage> => {
    const { maxLoops, judge, judgeAsks } = study.settings;
    const cells = page.sealed ? [] : await page.promptedCells();
    return { sealed: page.sealed, cells, course: loopCourse(study), maxLoops, judged: judge !== 'none', judgeAsks };
  },
};
