/** Places in an EVALOOP cell's course, and what is read out of its answers. */
import { summaryText } from '../../domain/extraction/summary-text.ts';
import type { Answer, At } from '../study.ts';

export const at = (step: At['step'], loop: number, ask = 0): At => ({ step, loop, ask, sample: 0 });

/** The summary that the next loop is generated from; null when the model refused or said nothing. A truncated one is used. */
export function summaryOf(answer: Answer): string | null {
  if (answer.status === 'refusal' || answer.status === 'content_filter') return null;
  return summaryText(answer.reply.text);
}
