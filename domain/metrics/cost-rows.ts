/** Rows of table `model_costs`, and the cost columns of table `asl`, from the costs and results of each task. */
import { counted } from '../counted.ts';
import type { Row } from '../../schemas/tables.ts';
import { studyModelNames } from '../../schemas/tables/keys.ts';
import { defaultLevel } from '../statistics/intervals/interval.ts';
import { costPerSolved, costPerSolvedMethod } from './cost-per-solved.ts';
import { numberOf, numberOrNull } from './row-order.ts';

/**
 * One row per study and model, in the order of `totals`.
 * @param totals sums over calls and answers, by study and model
 * @param tasks `usd` and `solved` of each task, with the columns of the key
 */
export function modelCostRows(totals: readonly Row[], tasks: readonly Row[]): Row[] {
  const byModel = Map.groupBy(tasks, (row) => keyOf(row, studyModelNames));
  return totals.map((total) => {
    const own = (byModel.get(keyOf(total, studyModelNames)) ?? []).filter(
      (row) => numberOrNull(row, 'solved') !== null,
    );
    const { paid_calls: _, reused, ...sums } = total;
    return {
      ...sums,
      solved_tasks: own.reduce((sum, row) => sum + numberOf(row, 'solved'), 0),
      n: own.length,
      ...solvedCostOf(own, priceFault(total) ?? (own.length === 0 ? reuseFault(Number(reused ?? 0)) : null)),
      level: defaultLevel,
      confidence: defaultLevel,
      method: costPerSolvedMethod,
    };
  });
}

function priceFault(total: Row): string | null {
  if (numberOf(total, 'unpriced_calls') > 0)
    return `the price of ${counted(numberOf(total, 'unpriced_calls'), 'call')} is unknown`;
  if (numberOf(total, 'paid_calls') > 0) return null;
  return reuseFault(Number(total['reused'] ?? 0)) ?? 'no call was paid for: simulated or replayed';
}

const reuseFault = (reused: number): string | null =>
  reused === 0 ? null : `every task has answers of other runs (${reused} were reused), which paid for them`;

/** Adds the cost per solved task to rows of `asl`. @param tasks as for `modelCostRows`, for the cells of these rows */
export function withSolvedCosts(rows: readonly Row[], tasks: readonly Row[], key: readonly string[]): Row[] {
  const byKey = Map.groupBy(tasks, (row) => keyOf(row, key));
  return rows.map((row) => {
    const all = byKey.get(keyOf(row, key)) ?? [];
    const isPaid =
      all.some((task) => numberOf(task, 'paid_calls') > 0) &&
      all.every((task) => numberOf(task, 'unpriced_calls') === 0);
    const counted = all.filter((task) => numberOrNull(task, 'solved') !== null);
    const { reason: _, ...columns } = solvedCostOf(isPaid ? counted : [], null);
    return { ...row, ...columns };
  });
}

/** @param fault why the cost is unknown */
function solvedCostOf(tasks: readonly Row[], fault: string | null) {
  const costs = tasks.map((row) => ({ cost: numberOf(row, 'usd'), solved: numberOf(row, 'solved') }));
  const { value, interval, reason } =
    fault === null ? costPerSolved(costs) : { value: null, interval: null, reason: fault };
  return {
    usd_per_solved_task: value,
    usd_per_solved_task_lo: interval?.lo ?? null,
    usd_per_solved_task_hi: interval?.hi ?? null,
    reason,
  };
}

const keyOf = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map((column) => row[column]));
