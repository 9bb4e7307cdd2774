/** A level's scores prompt by prompt, so that sides are compared on the prompts that were judged on all of them. */
import type { OpenTasks, ValueByTask } from '../../../analysis/gate/compared.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { Row } from '../../../schemas/tables.ts';

/** By task id, then by variant: the share of the judged answers that passed. */
export type PromptShares = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** @param rows of `prompt_passes`, judged ones only */
export const promptShares = (rows: readonly Row[]): PromptShares =>
  new Map(
    [...grouped(rows, 'task_id')].map(([task, own]) => [
      task,
      new Map([...grouped(own, 'variant')].map(([variant, draws]) => [variant, shareOf(draws)])),
    ]),
  );

const grouped = (rows: readonly Row[], column: string): Map<string, Row[]> =>
  Map.groupBy(rows, (row) => textOf(row, column));

const shareOf = (rows: readonly Row[]): number => rows.filter((row) => row['passed'] === true).length / rows.length;

/** By side and task, the share of each prompt that any side has, in one order; null where it was not judged. */
export function alignedShares(
  sides: readonly PromptShares[],
  taskIds: readonly string[],
  scale: number,
): NonNullable<OpenTasks['byPrompt']> {
  const variants = taskIds.map((task) => [...new Set(sides.flatMap((side) => [...(side.get(task)?.keys() ?? [])]))]);
  return sides.map((side) =>
    taskIds.map((task, place) =>
      (variants[place] ?? []).map((variant) => {
        const share = side.get(task)?.get(variant);
        return share === undefined ? null : scale * share;
      }),
    ),
  );
}

/** By side: each task's mean over the prompts that were judged on all sides; without tasks that have none. */
export function sharedPromptMeans(sides: readonly PromptShares[], scale: number): ValueByTask[] {
  const [first = new Map(), ...others] = sides;
  const common = [...first].flatMap(([task, own]): [string, string[]][] => {
    const variants = [...own.keys()].filter((variant) => others.every((side) => side.get(task)?.has(variant)));
    return variants.length === 0 ? [] : [[task, variants]];
  });
  return sides.map(
    (side) => new Map(common.map(([task, variants]) => [task, scale * meanOf(side.get(task) ?? new Map(), variants)])),
  );
}

const meanOf = (shares: ReadonlyMap<string, number>, variants: readonly string[]): number =>
  mean(variants.map((variant) => shares.get(variant) as number)) as number;
