/** The models and levels in a study's tables. */
import { type Curve, curves } from '../results/scores.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { SpecificityStudyReport } from './data.ts';

export interface NamedLevel {
  readonly name: string;
  readonly augmentation: string;
  readonly level: number | null;
}

/** Minimal, maximal and original, which have no numeric level. */
export const endLevel = (augmentation: string): NamedLevel => ({ name: augmentation, augmentation, level: null });

export const modelsOf = ({ curve }: SpecificityStudyReport): string[] => [
  ...new Set(curve.map((row) => textOf(row, 'model'))),
];

/** From minimal to maximal. */
export function levelsOf({ curve: rows }: SpecificityStudyReport, curve: Curve): NamedLevel[] {
  const own = rows.filter((row) => row['augmentation'] === curve);
  const found = [...new Set(own.flatMap(({ level }) => (typeof level === 'number' ? [level] : [])))];
  const inner = found.toSorted((a, b) => curves[curve] * (a - b));
  const named = inner.map((level) => ({ name: String(level), augmentation: curve, level }));
  return [endLevel('minimal'), ...named, endLevel('maximal')];
}

/** The row of `specificity_curve` over all prompts of a level. */
export const levelRow = (
  { curve }: SpecificityStudyReport,
  model: string,
  { augmentation, level }: NamedLevel,
): Row | undefined =>
  curve.find(
    (row) =>
      row['model'] === model && row['augmentation'] === augmentation && row['level'] === level && row['draw'] === null,
  );
