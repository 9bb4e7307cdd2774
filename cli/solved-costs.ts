/** What a solved task has come to, over the pages that are done: for `status`. */
import { numberOf, numberOrNull, textOf } from '../domain/metrics/row-order.ts';

export interface SolvedCost {
  readonly study: string;
  readonly model: string;
  /** Null where no task is solved or a price is not known; `reason` says so. */
  readonly usd: number | null;
  /** 95 %; an upper end of null has no limit. */
  readonly interval: { readonly lo: number; readonly hi: number | null } | null;
  /** Tasks, each by the share of its first programs that pass. */
  readonly solved: number;
  /** Tasks with a program that counts. */
  readonly tasks: number;
  readonly reason: string | null;
}

/** Those of table `model_costs`, made from the pages that are done. Loaded where it is asked for: DuckDB takes a second. */
export async function solvedCosts(folder: string): Promise<SolvedCost[]> {
  const [{ openRun }, { modelCosts }] = await Promise.all([import('../analysis/database.ts'), import('../analysis/model-costs.ts')]);
  const database = await openRun(folder);
  try {
    return (await modelCosts(database)).map((row) => {
      const lo = numberOrNull(row, 'usd_per_solved_task_lo');
      return {
        study: textOf(row, 'study'),
        model: textOf(row, 'model'),
        usd: numberOrNull(row, 'usd_per_solved_task'),
        interval: lo === null ? null : { lo, hi: numberOrNull(row, 'usd_per_solved_task_hi') },
        solved: numberOf(row, 'solved_tasks'),
        tasks: numberOf(row, 'n'),
        reason: row['reason'] == null ? null : textOf(row, 'reason'),
      };
    });
  } finally {
    database.close();
  }
}
