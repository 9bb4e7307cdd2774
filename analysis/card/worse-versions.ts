/** What studies show to be worse in a new version, in words: its pass@1 without a requirement does not say it. */
import { counted } from '../../domain/counted.ts';
import { wordList } from '../../domain/card/sentence.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { WorseVersion } from './card-source.ts';
import { modelKey } from './main-entries.ts';

/** `pass@1 base with reliability (-11.67 points, -18.37 to -4.00)` and others. @param most more end with a count */
export function worseList(verdicts: readonly string[], most = 3): string {
  const more = verdicts.length - most;
  return wordList(more > 0 ? [...verdicts.slice(0, most), counted(more, 'other measure')] : verdicts);
}

/** The verdicts on the pair of a row of `version_change`. */
export const worseOf = (row: Row, worse: readonly WorseVersion[]): readonly string[] =>
  worse.flatMap(({ old, verdicts, ...one }) =>
    modelKey(one) === modelKey(row) && textOf(row, 'condition').endsWith(`, against ${old}`) ? verdicts : [],
  );

/** A sentence for the first screen, with the largest loss of each; empty if no version is shown to be worse. */
export function worseText(worse: readonly WorseVersion[], nameOf: (one: Row) => string): string {
  if (worse.length === 0) return '';
  const pairs = worse.map(
    (one) => `${nameOf({ run: one.run, model: one.model })}, against ${one.old}, in ${worseList(one.verdicts, 1)}`,
  );
  return ` Shown to be worse than an older version: ${pairs.join('; ')}.`;
}
