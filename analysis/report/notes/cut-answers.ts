/** The sentence about answers that a limit on their length cut off. */
import { countText, shareText } from '../format.ts';

export const cutAnswersText = (model: string, answers: number, cut: number): string =>
  `${countText(cut)} of ${countText(answers)} answers of ${model} (${shareText(cut / answers)}) were cut at a ` +
  'length: they count as they are, and a higher limit may change its rates.';
