/** Converts sums of a model's samples by task, wording and bin of confidence from rows to cells. */
import type { ConfidenceCell } from './calibration-groups.ts';
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { affectOf, type Emotion, emotions } from '../../templates.ts';

export const isEmotion = (name: unknown): name is Emotion => emotions.some((emotion) => emotion === name);

/** Such as "positive, active"; null if valence or arousal is 0. */
export function quadrantOf(emotion: unknown): string | null {
  if (!isEmotion(emotion)) return null;
  const { valence, arousal } = affectOf(emotion);
  return valence === 0 || arousal === 0
    ? null
    : `${valence > 0 ? 'positive' : 'negative'}, ${arousal > 0 ? 'active' : 'calm'}`;
}

const numberOrNull = (row: Row, column: string): number | null => (row[column] == null ? null : numberOf(row, column));

/** A row of `confidenceSums`. */
export const confidenceCell = (row: Row): ConfidenceCell => ({
  task: textOf(row, 'task_id'),
  emotion: row['emotion'] == null ? null : textOf(row, 'emotion'),
  quadrant: quadrantOf(row['emotion']),
  distance: numberOf(row, 'distance'),
  bin: numberOf(row, 'bin'),
  n: numberOf(row, 'n'),
  confidence: numberOf(row, 'confidence'),
  passed: numberOf(row, 'passed'),
  sureFailures: numberOf(row, 'sure_failures'),
  unsureSuccesses: numberOf(row, 'unsure_successes'),
  sureFailuresOwn: numberOrNull(row, 'sure_failures_own'),
  unsureSuccessesOwn: numberOrNull(row, 'unsure_successes_own'),
});
