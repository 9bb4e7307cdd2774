/** The main result of EVALOOP studies: one row per run, study, benchmark, setting and model, the best first. */
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import type { Row } from '../../../schemas/tables.ts';
import { currentAsl } from './asl-table.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { type Estimate, estimateOf } from '../../../analysis/estimate.ts';
import { records } from '../../../analysis/records.ts';

export interface LeaderboardRow {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly language: string;
  readonly setting: string;
  readonly model: string;
  readonly family: string | null;
  readonly judge: string | null;
  /** If null, `reason` says why. */
  readonly asl: Estimate | null;
  readonly aslUnweighted: Estimate | null;
  readonly passAt1: Estimate | null;
  readonly absoluteDrop: Estimate | null;
  /** Intervals of pass@1 after loop 1, 2, ... M; empty in a run of an earlier version. */
  readonly survival: readonly Interval[];
  /** n_0 .. n_M. */
  readonly nSustained: readonly number[];
  readonly maxLoops: number;
  readonly level: number;
  readonly method: string;
  readonly n: number;
  readonly nExcluded: number;
  readonly nUnscored: number;
  readonly ceiling: number | null;
  readonly reason: string | null;
  readonly simulated: boolean;
}

/**
 * Ordered within one study and setting by ASL, or by ASL without similarities if that is null, then by name.
 * @param asl rows of table `asl`; default: the current ones
 */
export async function leaderboard(database: RunDatabase, asl?: readonly Row[]): Promise<LeaderboardRow[]> {
  const families = await records(database, 'SELECT run, model, family FROM models');
  const familyOf = new Map(families.map((row) => [JSON.stringify([row['run'], row['model']]), row['family']]));
  const rows = (asl ?? (await currentAsl(database))).map((row) =>
    leaderboardRow(row, familyOf.get(JSON.stringify([row['run'], row['model']])) ?? null),
  );
  const groups = Map.groupBy(rows, boardName);
  return [...groups.values()].flatMap((group) => group.toSorted(byScore));
}

/** Rows with the same name form one board. */
export const boardName = (row: LeaderboardRow): string =>
  JSON.stringify([row.run, row.study, row.benchmark, row.language, row.setting]);

function byScore(a: LeaderboardRow, b: LeaderboardRow): number {
  const difference = score(b.asl) - score(a.asl) || score(b.aslUnweighted) - score(a.aslUnweighted);
  return difference || (a.model < b.model ? -1 : 1);
}

/** The sort key: a missing ASL is below every possible ASL. */
const score = (estimate: Estimate | null): number => estimate?.value ?? -1;

function survivalOf(row: Row): Interval[] {
  const [lo, hi] = [row['survival_lo'] ?? [], row['survival_hi'] ?? []] as (readonly number[])[];
  return (lo ?? []).map((end, index) => ({ lo: end, hi: hi?.[index] as number }));
}

function leaderboardRow(row: Row, family: Row[string]): LeaderboardRow {
  return {
    run: textOf(row, 'run'),
    study: textOf(row, 'study'),
    benchmark: textOf(row, 'benchmark'),
    language: textOf(row, 'language'),
    setting: textOf(row, 'setting'),
    model: textOf(row, 'model'),
    family: typeof family === 'string' ? family : null,
    judge: row['judge'] === null ? null : textOf(row, 'judge'),
    asl: estimateOf(row, 'asl'),
    aslUnweighted: estimateOf(row, 'asl_unweighted'),
    passAt1: estimateOf(row, 'pass_at_1'),
    absoluteDrop: estimateOf(row, 'absolute_drop'),
    survival: survivalOf(row),
    nSustained: row['n_sustained'] as readonly number[],
    maxLoops: numberOf(row, 'max_loops'),
    level: numberOf(row, 'level'),
    method: textOf(row, 'method'),
    n: numberOf(row, 'n'),
    nExcluded: numberOf(row, 'n_excluded'),
    nUnscored: numberOf(row, 'n_unscored'),
    ceiling: numberOrNull(row, 'ceiling'),
    reason: row['reason'] === null ? null : textOf(row, 'reason'),
    simulated: row['simulated'] === true,
  };
}
