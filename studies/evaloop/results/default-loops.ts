/**
 * The loops behind ASL as a headline: on the board, a card, in a gate and a comparison. They are those of the default
 * setting, as in the study's own table: other temperatures, prompts and sampled runs are answers to other questions.
 */
import type { RunDatabase } from '../../../analysis/database.ts';
import { type Side, sideRows } from '../../../analysis/gate/compared.ts';
import { records } from '../../../analysis/records.ts';
import type { Row } from '../../../schemas/tables.ts';
import { defaultSetting } from '../loop-settings.ts';

/** By side, rows of the repetitions that all sides have, by task. */
export async function defaultLoops(database: RunDatabase, sides: readonly Side[]): Promise<Row[][]> {
  const rows = await Promise.all(sides.map((side) => loopsOf(database, side)));
  const repetitions = rows.map((own) => new Set(own.map((row) => row['repetition'])));
  const isShared = (row: Row): boolean => repetitions.every((own) => own.has(row['repetition']));
  return rows.map((own) => own.filter(isShared));
}

const loopsOf = (database: RunDatabase, side: Side): Promise<Row[]> =>
  records(
    database,
    `select task_id, variant, repetition, ended_by, sustained_loops, similarity from ` +
      `${sideRows(database, 'loops', side)} where variant = 'original' and setting = '${defaultSetting}' ` +
      'order by task_id, repetition',
  );
