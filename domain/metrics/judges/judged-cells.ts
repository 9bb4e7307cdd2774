/** Counted cells with the scores of each judge of a panel. */
import type { Row } from '../../../schemas/tables.ts';
import { cellKeyNames } from '../../../schemas/tables/keys.ts';
import type { LoopCell } from '../asl.ts';
import { numberOf, numberOrNull, textOf } from '../row-order.ts';

export interface Judges {
  readonly models: readonly string[];
  readonly repeats: number;
}

export interface JudgedCell extends LoopCell {
  readonly taskId: string;
  /** Whether any judge was asked. */
  readonly asked: boolean;
  /** By judge, then by repeat; null if the judge's answers held no score, or it was not asked. */
  readonly scores: readonly (readonly (number | null)[])[];
}

/** @param loops rows of table `loops` @param judgements rows of table `judgements` of these cells, and of others */
export function judgedCells(
  loops: readonly Row[],
  judgements: readonly Row[],
  { models, repeats }: Judges,
): JudgedCell[] {
  const asked = new Set(judgements.map(cellName));
  const scores = new Map<string, number>();
  for (const row of judgements)
    if (row['score'] !== null) scores.set(placeOf(row, row['judge'], row['repeat']), numberOf(row, 'score'));
  return loops.map((row) => ({
    taskId: textOf(row, 'task_id'),
    asked: asked.has(cellName(row)),
    sustainedLoops: numberOf(row, 'sustained_loops'),
    similarity: numberOrNull(row, 'similarity'),
    scores: models.map((model) =>
      Array.from({ length: repeats }, (_, repeat) => scores.get(placeOf(row, model, repeat)) ?? null),
    ),
  }));
}

const cellName = (row: Row): string => JSON.stringify(cellKeyNames.map((column) => row[column]));
const placeOf = (row: Row, judge: unknown, repeat: unknown): string =>
  JSON.stringify([cellName(row), judge, Number(repeat)]);
