/** How the lengths of code and summaries in each sustained loop compare with those in loop 1. */
import { numberOf, numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import { geometricMean } from '../../../../domain/statistics/geometric-mean.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import type { Estimate } from '../../../../analysis/estimate.ts';
import { records } from '../../../../analysis/records.ts';

/**
 * Lengths of one model's texts in one loop, divided by the same cell's in loop 1, over cells that sustained the loop.
 */
export interface LoopDrift {
  readonly model: string;
  readonly loop: number;
  readonly cells: number;
  readonly tasks: number;
  /** Mean ratio of characters of code over the cells; null if the run holds no code. */
  readonly code: number | null;
  /** Mean ratio of characters of the summary; null in the last loop, which has no summary. */
  readonly summary: number | null;
  /** The same ratios as geometric means over tasks, with intervals. */
  readonly codeFactor: Estimate | null;
  readonly summaryFactor: Estimate | null;
}

/** @param where SQL condition for the cells of one study */
export async function loopDrifts(database: RunDatabase, where: string): Promise<LoopDrift[]> {
  const cells = await records(database, driftSql(where));
  return [...Map.groupBy(cells, ({ model, loop }) => JSON.stringify([model, loop])).values()].map(driftOf);
}

/** Code that passed, and its summaries, in a fixed order, because the last digit of a sum depends on it. */
const driftSql = (where: string): string => `
  WITH reached AS (SELECT model, task_id, repetition, sustained_loops FROM loops WHERE ${where} AND ended_by <>
    'excluded'),
  texts AS (
    SELECT model, task_id, repetition, loop, max(length(solution)) FILTER (WHERE step = 'generate') AS code,
      max(length(reply)) FILTER (WHERE step = 'summarize') AS summary
    FROM samples WHERE ${where} AND step IN ('generate', 'summarize') GROUP BY ALL),
  passed AS (SELECT t.* FROM texts t JOIN reached USING (model, task_id, repetition) WHERE loop <= sustained_loops)
  SELECT p.model, p.loop::INT AS loop, p.task_id, p.repetition, p.code / nullif(first.code, 0) AS code,
    p.summary / nullif(first.summary, 0) AS summary
  FROM passed p JOIN passed first USING (model, task_id, repetition) WHERE first.loop = 1 ORDER BY ALL`;

function driftOf(cells: readonly Row[]): LoopDrift {
  const first = cells[0] as Row;
  const tasks = [...Map.groupBy(cells, (cell) => textOf(cell, 'task_id')).values()];
  const ratios = (own: readonly Row[], column: string): number[] =>
    own.flatMap((cell) => numberOrNull(cell, column) ?? []);
  const factor = (column: string): Estimate | null =>
    geometricMean(
      tasks.map((own) => ratios(own, column).filter((ratio) => ratio > 0)).filter(({ length }) => length > 0),
    );
  return {
    model: textOf(first, 'model'),
    loop: numberOf(first, 'loop'),
    cells: cells.length,
    tasks: tasks.length,
    code: mean(ratios(cells, 'code')),
    summary: mean(ratios(cells, 'summary')),
    codeFactor: factor('code'),
    summaryFactor: factor('summary'),
  };
}
