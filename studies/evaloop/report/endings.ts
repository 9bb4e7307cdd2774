import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';

/** How many cells of one model ended in one loop for one reason. */
export interface Ending {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  /** The outcome of the code that ended the cell, or `no_summary`. */
  readonly reason: string;
  /** True if evenkeel's limits ended the cell: it counts in no estimate. */
  readonly excluded: boolean;
  /** The loop that the cell did not survive, from 1. */
  readonly loop: number;
  readonly cells: number;
}

/**
 * Why cells of the unchanged prompts ended under the default setting; survivors are not included.
 * A missing summary ends a cell in the loop that it was for, as in tables `loop_survival` and `loop_breaks`.
 */
export async function endings(database: RunDatabase): Promise<Ending[]> {
  const rows = await records(database, endingsSql);
  return rows.map((row) => ({
    run: textOf(row, 'run'),
    study: textOf(row, 'study'),
    model: textOf(row, 'model'),
    reason: textOf(row, 'reason'),
    excluded: row['excluded'] === true,
    loop: numberOf(row, 'loop'),
    cells: numberOf(row, 'cells'),
  }));
}

const endingsSql = `
  SELECT run, study, model,
    coalesce(ended_outcome, ended_by) AS reason,
    ended_by = 'excluded' AS excluded,
    sustained_loops + 1 AS loop,
    count(*) AS cells
  FROM loops
  WHERE ended_by <> 'survived' AND variant = 'original' AND setting = 'default'
  GROUP BY ALL
  ORDER BY run, study, model, excluded, reason, loop`;
