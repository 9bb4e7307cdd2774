/**
 * The loops behind ASL as a headline: on the board, a card, in a gate and a comparison. They are those of the default
 * setting, as in the study's own table: other temperatures, prompts and sampled runs are answers to other questions.
 */
import type { RunDatabase } from '../../../analysis/database.ts';
import { type Side, sideRows } from '../../../analysis/gate/compared.ts';
import { records } from '../../../analysis/records.ts';
import type { LoopCell } from '../../../domain/metrics/asl.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { LoopEnding } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import { defaultSetting } from '../loop-settings.ts';
import { unaskedJudge } from '../rows.ts';

/** A cell of an unchanged prompt. */
export interface EndedLoops extends LoopCell {
  readonly taskId: string;
  readonly repetition: number;
  /** Whether a limit of evenkeel ended it, so that nobody knows how far it would have come. */
  readonly isExcluded: boolean;
  /** Whether the judge's score of its break does not exist, since no judge was asked. */
  readonly isUnjudged: boolean;
}

/** By side, cells of the repetitions that all sides have, by task; without the changed tasks. */
export async function defaultLoops(
  database: RunDatabase,
  sides: readonly Side[],
  changed: ReadonlySet<string>,
): Promise<EndedLoops[][]> {
  const cells: EndedLoops[][] = [];
  // Each row has a text of its own.
  const taskIds = new Map<string, string>();
  // One after the other, so that the rows of 96 models are never there together.
  for (const side of sides) {
    const own = (await loopsOf(database, side)).map((row) => endedLoops(row, taskIds));
    cells.push(own.filter(({ taskId }) => !changed.has(taskId)));
  }
  const repetitions = cells.map((own) => new Set(own.map(({ repetition }) => repetition)));
  return cells.map((own) => own.filter(({ repetition }) => repetitions.every((present) => present.has(repetition))));
}

const loopsOf = (database: RunDatabase, side: Side): Promise<Row[]> =>
  records(
    database,
    `select task_id, repetition, ended_by, sustained_loops, similarity, similarity_reason from ` +
      `${sideRows(database, 'loops', side)} where variant = 'original' and setting = '${defaultSetting}' ` +
      'order by task_id, repetition',
  );

function endedLoops(row: Row, taskIds: Map<string, string>): EndedLoops {
  const found = textOf(row, 'task_id');
  const taskId = taskIds.get(found) ?? found;
  taskIds.set(taskId, taskId);
  const ending = row['ended_by'] as LoopEnding;
  return {
    taskId,
    repetition: numberOf(row, 'repetition'),
    isExcluded: ending === 'excluded',
    isCutShort: ending === 'not_asked',
    isUnjudged: row['similarity_reason'] === unaskedJudge,
    sustainedLoops: numberOf(row, 'sustained_loops'),
    similarity: row['similarity'] == null ? null : numberOf(row, 'similarity'),
  };
}
