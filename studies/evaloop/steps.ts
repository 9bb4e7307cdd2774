/** The steps of an EVALOOP cell, and the texts extracted from its answers. */
import { summaryText } from '../../domain/extraction/summary-text.ts';
import type { StepName } from '../../schemas/states.ts';
import { wordsIn } from '../code-of.ts';
import type { Answer, At } from '../cell-state.ts';
import { dualPairs } from './pairs/index.ts';
import type { EvaloopStudy } from './settings.ts';

export const at = (step: At['step'], loop: number, ask = 0, sample = 0): At => ({ step, loop, ask, sample });

export const isDrafted = ({ settings }: EvaloopStudy): boolean => dualPairs[settings.pair].draft !== undefined;

/** The steps of a loop before its code is tested. */
export const loopCourse = (study: EvaloopStudy): readonly [StepName, ...StepName[]] =>
  isDrafted(study) ? ['draft', 'generate'] : ['generate'];

/**
 * The summary or draft for the next step; null if the model refused or the text is empty. A truncated one is used.
 */
export function wordsOf(study: EvaloopStudy, answer: Answer): string | null {
  if (answer.status === 'refusal' || answer.status === 'content_filter') return null;
  return study.settings.pair === 'summary' || answer.reply.extracted === true
    ? wordsIn(study, answer)
    : summaryText(answer.reply.text);
}
