/** How many loops each repetition of a cell lasted. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import type { ExampleCell } from '../../../analysis/report/study-report.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';

/** Null, if no repetition of the cell is finished. */
export type LastedLoops = (cell: ExampleCell) => CellLoops | null;

interface CellLoops {
  /** Of the repetitions that count. */
  readonly loops: readonly number[];
  readonly excluded: number;
}

export async function lastedLoops(database: RunDatabase): Promise<LastedLoops> {
  const rows = await records(database, loopsSql);
  const known = new Map(
    rows.map((row) => {
      const texts = textOf(row, 'loops').split(' ').filter(Boolean);
      return [textOf(row, 'cell'), { loops: texts.map(Number), excluded: numberOf(row, 'excluded') }];
    }),
  );
  return ({ run, study, benchmark, language, setting, taskId, model }) =>
    known.get([run, study, benchmark, language, setting, taskId, model].join(separator)) ?? null;
}

const separator = '\n';

const loopsSql = `
  SELECT concat_ws(chr(10), run, study, benchmark, language, setting, task_id, model) AS cell,
    coalesce(string_agg(sustained_loops::VARCHAR, ' ') FILTER (ended_by <> 'excluded'), '') AS loops,
    (count(*) FILTER (ended_by = 'excluded'))::INT AS excluded
  FROM loops
  WHERE variant = 'original'
  GROUP BY ALL`;
