/** EVALOOP, section 3.3: groups of models by family, size or kind of training. */
import { sizeGroupOf } from '../../../../domain/metrics/model-groups.ts';
import { percentileInterval, resampledValues } from '../../../../domain/statistics/intervals/bootstrap.ts';
import { boundedMeanInterval } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { placesOf } from '../../../../domain/statistics/ranks/ranks.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { Estimate } from '../../../../analysis/estimate.ts';

/** Models of one family, size group or kind of training. */
export interface RankedGroup {
  readonly by: 'family' | 'size' | 'training';
  readonly group: string;
  readonly models: number;
  /** Means over the group's models with a place, on the tasks that count for every model with a place. */
  readonly asl: Estimate | null;
  readonly drop: Estimate | null;
  /** Mean number of places gained from pass@1 to ASL. Its interval is over tasks resampled with replacement. */
  readonly rise: Estimate | null;
}

/** Scores of one task, in the order of the models. */
export interface ScoredTask {
  readonly passed: readonly number[];
  /**
   * Sustained loops squared: ASL with every s_i = 1, times M. Divided only once, at the end,
   * so that equal scores stay exactly equal.
   */
  readonly squares: readonly number[];
  /** Share of the cells that passed the first loop and broke later. */
  readonly lost: readonly number[];
}

export interface GroupedModels {
  /** Names, in the order of the tasks' scores. */
  readonly models: readonly string[];
  readonly tasks: readonly ScoredTask[];
  /** Rows of table `models`. */
  readonly facts: readonly Row[];
  readonly maxLoops: number;
  readonly seed: number;
}

export function loopGroups(grouped: GroupedModels): RankedGroup[] {
  const groups = groupsOf(grouped);
  if (groups.length === 0) return [];
  const risesOf = (drawn: readonly ScoredTask[]): number[] => {
    const [before, after] = (['passed', 'squares'] as const).map((score) =>
      placesOf(meanScores(drawn, score, grouped.models.length)),
    );
    return (before ?? []).map((place, model) => place - (after?.[model] as number));
  };
  const rises = risesOf(grouped.tasks);
  const drawn = resampledValues(grouped.tasks, risesOf, { seed: grouped.seed });
  return groups.map(({ by, group, members }) => {
    const own = (values: readonly number[]): number => mean(members.map((model) => values[model] as number)) as number;
    const rise = { value: own(rises), interval: percentileInterval(drawn.map(own)) };
    const over = (score: 'squares' | 'lost', scale: number, bounds: Interval): Estimate | null =>
      estimate(
        grouped.tasks.map((task) => own(task[score]) / scale),
        bounds,
      );
    return {
      by,
      group,
      models: members.length,
      asl: over('squares', grouped.maxLoops, { lo: 0, hi: grouped.maxLoops }),
      drop: over('lost', 1, { lo: 0, hi: 1 }),
      rise,
    };
  });
}

/** Sums are divided only once, at the end, so that equal scores stay exactly equal. */
export function meanScores(drawn: readonly ScoredTask[], score: keyof ScoredTask, models: number): number[] {
  const sums = new Array<number>(models).fill(0);
  for (const task of drawn)
    for (let model = 0; model < models; model += 1)
      sums[model] = (sums[model] as number) + (task[score][model] as number);
  return sums.map((sum) => sum / drawn.length);
}

function estimate(values: readonly number[], bounds: Interval): Estimate | null {
  const value = mean(values);
  return value === null ? null : { value, interval: boundedMeanInterval(values, bounds) };
}

interface Group {
  readonly by: RankedGroup['by'];
  readonly group: string;
  /** Indices of the group's models. */
  readonly members: readonly number[];
}

function groupsOf({ models, facts }: GroupedModels): Group[] {
  const factOf = (model: string, column: string): Row[string] =>
    facts.find((row) => row['model'] === model)?.[column] ?? null;
  const text = (model: string, column: string): string | null => {
    const value = factOf(model, column);
    return typeof value === 'string' ? value : null;
  };
  const size = (model: string): string | null => {
    const sizeB = factOf(model, 'size_b');
    return typeof sizeB === 'number' ? sizeGroupOf(sizeB) : null;
  };
  const groupers = [
    ['family', (model: string) => text(model, 'family')],
    ['size', size],
    ['training', (model: string) => text(model, 'training')],
  ] as const;
  return groupers.flatMap(([by, groupOf]) =>
    [...Map.groupBy(models.keys(), (model) => groupOf(models[model] as string))].flatMap(([group, members]) =>
      group === null ? [] : [{ by, group, members }],
    ),
  );
}
