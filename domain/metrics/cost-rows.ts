/** Rows of table `model_costs`, and the cost columns of table `asl`, from the costs and results of each task. */
import { counted } from '../counted.ts';
import type { Row } from '../../schemas/tables.ts';
import { studyModelNames } from '../../schemas/tables/keys.ts';
import { defaultLevel } from '../statistics/intervals/interval.ts';
import { costPerSolved, costPerSolvedMethod, type TaskCost } from './cost-per-solved.ts';
import { keyOf, numberOf, numberOrNull } from './row-order.ts';

/**
 * One row per study and model, in the order of `totals`.
 * @param totals sums over calls and answers, by study and model
 * @param tasks `usd` and `solved` of each task, with the columns of the key
 */
export function modelCostRows(totals: readonly Row[], tasks: readonly Row[]): Row[] {
  const byModel = Map.groupBy(tasks, (row) => keyOf(row, studyModelNames));
  return totals.map((total) => {
    const all = byModel.get(keyOf(total, studyModelNames)) ?? [];
    const own = all.filter(isPaidHere);
    const { paid_calls: _, ...sums } = total;
    const judged = own.flatMap((row) => numberOrNull(row, 'solved') ?? []);
    return {
      ...sums,
      solved_tasks: judged.reduce((sum, solved) => sum + solved, 0),
      n: judged.length,
      ...solvedCostOf(own, elsewhereFault(all) ?? priceFault(total, own)),
      level: defaultLevel,
      confidence: defaultLevel,
      method: costPerSolvedMethod,
    };
  });
}

/** Whether another run or model paid for none of a task's answers: else what they cost here is too little. */
export const isPaidHere = (task: Row): boolean => task['is_reused'] !== true && task['is_shared'] !== true;

/** Why a model has no cost, if others paid for an answer of each of its tasks; else null. */
export function elsewhereFault(tasks: readonly Row[]): string | null {
  if (tasks.length === 0 || tasks.some(isPaidHere)) return null;
  const [isReused, isShared] = ['is_reused', 'is_shared'].map((name) => tasks.some((row) => row[name] === true));
  const whose = isReused ? (isShared ? 'other runs and of another model' : 'other runs') : 'another model';
  return `every task has answers of ${whose}, which paid for them`;
}

/** A task's cost and solved share, for `costPerSolved`. @param cost its column */
export const taskCostOf = (row: Row, cost: string): TaskCost => ({
  cost: numberOf(row, cost),
  leastCost: Math.max(0, numberOf(row, cost) - (cost === 'usd' ? numberOf(row, 'estimated_usd') : 0)),
  solved: numberOrNull(row, 'solved'),
  leastSolved: numberOf(row, 'least_solved'),
  mostSolved: numberOf(row, 'most_solved'),
});

/** @param tasks with the calls that other studies asked */
function priceFault(total: Row, tasks: readonly Row[]): string | null {
  const most = (name: string): number =>
    Math.max(
      numberOf(total, name),
      tasks.reduce((sum, row) => sum + numberOf(row, name), 0),
    );
  const unpriced = most('unpriced_calls');
  if (unpriced > 0) return `the price of ${counted(unpriced, 'call')} is unknown`;
  return most('paid_calls') > 0 ? null : 'no call was paid for: simulated or replayed';
}

/** Adds the cost per solved task to rows of `asl`. @param tasks as for `modelCostRows`, for the cells of these rows */
export function withSolvedCosts(rows: readonly Row[], tasks: readonly Row[], key: readonly string[]): Row[] {
  const byKey = Map.groupBy(tasks, (row) => keyOf(row, key));
  return rows.map((row) => {
    const all = byKey.get(keyOf(row, key)) ?? [];
    const isPaid =
      all.some((task) => numberOf(task, 'paid_calls') > 0) &&
      all.every((task) => numberOf(task, 'unpriced_calls') === 0);
    const { reason: _, ...columns } = solvedCostOf(isPaid ? all.filter(isPaidHere) : [], null);
    return { ...row, ...columns };
  });
}

/** @param fault why the cost is unknown */
function solvedCostOf(tasks: readonly Row[], fault: string | null) {
  const { value, interval, reason } =
    fault === null
      ? costPerSolved(tasks.map((row) => taskCostOf(row, 'usd')))
      : { value: null, interval: null, reason: fault };
  return {
    usd_per_solved_task: value,
    usd_per_solved_task_lo: interval?.lo ?? null,
    usd_per_solved_task_hi: interval?.hi ?? null,
    reason,
  };
}
