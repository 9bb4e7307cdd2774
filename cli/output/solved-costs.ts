/** Cost per solved task over the finished pages, for `status`. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';

export interface SolvedCost {
  readonly study: string;
  readonly model: string;
  /** Null if no task is solved or a price is unknown; `reason` says which. */
  readonly usd: number | null;
  /** 95 % interval; null as upper end means no limit. */
  readonly interval: { readonly lo: number; readonly hi: number | null } | null;
  /** Solved tasks, each counted by the share of its first programs that pass. */
  readonly solved: number;
  /** Number of tasks with a program that counts. */
  readonly tasks: number;
  readonly reason: string | null;
  /** Whether the costs of some calls are estimated from above, so that it may be less. */
  readonly isAtMost: boolean;
}

/** Over these answers it would take more than a second. */
const mostAnswers = 200_000;

/** Whether `status` leaves it out: a complete run has it stored. */
export const isTooLarge = ({ state }: Pick<Manifest, 'state'>, { answered }: Pick<Progress, 'answered'>): boolean =>
  state !== 'complete' && answered > mostAnswers;

export const solvedLater =
  `not computed over more than ${mostAnswers.toLocaleString('en')} answers before the run is complete: ` +
  '`evenkeel report` computes it';

/**
 * Table `model_costs`, of a complete run as stored, else from the finished pages. Imports DuckDB only when called,
 * since that takes a second.
 */
export async function solvedCosts(home: RunHome): Promise<SolvedCost[]> {
  const [{ openRun }, { currentModelCosts }] = await Promise.all([
    import('../../analysis/database.ts'),
    import('../../analysis/model-costs.ts'),
  ]);
  const database = await openRun(await home.tables());
  try {
    return (await currentModelCosts(database)).map((row) => {
      const lo = numberOrNull(row, 'usd_per_solved_task_lo');
      return {
        study: textOf(row, 'study'),
        model: textOf(row, 'model'),
        usd: numberOrNull(row, 'usd_per_solved_task'),
        interval: lo === null ? null : { lo, hi: numberOrNull(row, 'usd_per_solved_task_hi') },
        solved: numberOf(row, 'solved_tasks'),
        tasks: numberOf(row, 'n'),
        reason: row['reason'] == null ? null : textOf(row, 'reason'),
        isAtMost: numberOf(row, 'estimated_usd') > 0,
      };
    });
  } finally {
    database.close();
  }
}
