/** Opens pages of EVALOOP: the attacked prompts of their tasks are made, or found where another model or run has made them. */
import type { EvaloopPage } from '../../schemas/steps.ts';
import type { OpenPage } from '../page-steps.ts';
import { loopCourse } from './steps.ts';
import type { EvaloopStudy } from './study.ts';

export const evaloopPageSteps = {
  openEvaloopPage: async (study: EvaloopStudy, page: OpenPage): Promise<EvaloopPage> => {
    const { maxLoops, judge, judgeAsks } = study.settings;
    const cells = page.sealed ? [] : await page.promptedCells();
    return { sealed: page.sealed, cells, course: loopCourse(study), maxLoops, judged: judge !== 'none', judgeAsks };
  },
};
