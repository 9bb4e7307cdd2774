/** Fixpoints: code that stays the same until its cell's last sustained loop. */
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { clusteredInterval } from '../../../../domain/statistics/intervals/clustered-interval.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import type { Estimate } from '../../../../analysis/estimate.ts';
import { records } from '../../../../analysis/records.ts';

export interface Fixpoints {
  readonly model: string;
  /** Number of cells that sustained at least two loops. */
  readonly cells: number;
  /** Number of these cells whose code stayed the same for at least their last two loops. */
  readonly fixed: number;
  /** `fixed` over `cells`; null without cells. */
  readonly share: Estimate | null;
  /** Mean first loop of the unchanged code; null without a fixpoint. */
  readonly from: Estimate | null;
}

/** @param where SQL condition for the cells of one study */
export async function loopFixpoints(database: RunDatabase, where: string, maxLoops: number): Promise<Fixpoints[]> {
  const cells = await records(database, fixpointSql(where));
  return [...Map.groupBy(cells, (row) => textOf(row, 'model'))].map(([model, own]) =>
    fixpointsOf(model, own, maxLoops),
  );
}

/** For each cell, the first loop from which its code equals that of the last sustained loop. */
const fixpointSql = (where: string): string => `
  WITH codes AS (
    SELECT s.model, s.task_id, s.repetition, s.loop, s.program_sha256 AS program, l.sustained_loops AS last
    FROM (SELECT * FROM samples WHERE ${where} AND step = 'generate') s
    JOIN (SELECT * FROM loops WHERE ${where} AND ended_by <> 'excluded' AND sustained_loops >= 2) l USING (model,
      task_id, repetition)
    WHERE s.loop <= l.sustained_loops),
  cells AS (
    SELECT model, task_id, repetition, max(last) AS last, 1 + coalesce(max(loop) FILTER (WHERE program <> final),
      0) AS since
    FROM (SELECT *, max(program) FILTER (WHERE loop = last) OVER (PARTITION BY model, task_id,
      repetition) AS final FROM codes) GROUP BY model, task_id, repetition)
  SELECT model, task_id, repetition, since::INT AS since, (since < last) AS fixed FROM cells ORDER BY ALL`;

function fixpointsOf(model: string, cells: readonly Row[], maxLoops: number): Fixpoints {
  const fixed = cells.filter((row) => row['fixed'] === true);
  return {
    model,
    cells: cells.length,
    fixed: fixed.length,
    share: estimate(cells, (row) => Number(row['fixed'] === true), { lo: 0, hi: 1 }),
    from: estimate(fixed, (row) => numberOf(row, 'since'), { lo: 1, hi: maxLoops }),
  };
}

function estimate(cells: readonly Row[], value: (row: Row) => number, bounds: Interval): Estimate | null {
  const middle = mean(cells.map(value));
  const tasks = [...Map.groupBy(cells, (row) => textOf(row, 'task_id')).values()];
  return middle === null ? null : { value: middle, interval: clusteredInterval(tasks, value, bounds) };
}
