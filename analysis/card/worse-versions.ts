/** What studies show to be worse in a new version, in words: its pass@1 without a requirement does not say it. */
import { counted } from '../../domain/counted.ts';
import { wordList } from '../../domain/card/sentence.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { WorseVersion } from './card-source.ts';
import { modelKey } from './main-entries.ts';

/** Longer lists end with a count. */
const mostNamed = 3;

/** `pass@1 base with reliability (-11.67 points, -18.37 to -4.00)`, and up to two others. */
export function worseList(verdicts: readonly string[]): string {
  const more = verdicts.length - mostNamed;
  return wordList(more > 0 ? [...verdicts.slice(0, mostNamed), counted(more, 'other measure')] : verdicts);
}

/** The verdicts on the pair of a row of `version_change`. */
export const worseOf = (row: Row, worse: readonly WorseVersion[]): readonly string[] =>
  worse.flatMap(({ old, verdicts, ...one }) =>
    modelKey(one) === modelKey(row) && textOf(row, 'condition').endsWith(`, against ${old}`) ? verdicts : [],
  );

/** A sentence for the first screen; empty if no version is shown to be worse. */
export function worseText(worse: readonly WorseVersion[], nameOf: (one: Row) => string): string {
  if (worse.length === 0) return '';
  const pairs = worse.map(
    (one) => `${nameOf({ run: one.run, model: one.model })}, against ${one.old}, in ${worseList(one.verdicts)}`,
  );
  return ` Shown to be worse than an older version: ${pairs.join('; ')}.`;
}
