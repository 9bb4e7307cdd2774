/** Converts rankings to rows of their tables and back, so that a report shows what the tables hold. */
import { numberOf, numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import { defaultResamples } from '../../../../domain/statistics/intervals/bootstrap.ts';
import { boundedMeanMethod } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { correlationMethod } from '../../../../domain/statistics/intervals/correlation-interval.ts';
import { defaultLevel } from '../../../../domain/statistics/intervals/interval.ts';
import { placeMethod } from '../../../../domain/statistics/intervals/place-intervals.ts';
import type { DrawnInterval, RankChangeShares } from '../../../../domain/statistics/intervals/rank-change-intervals.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { type Estimate, estimateOf } from '../../../../analysis/estimate.ts';
import type { RankedGroup } from './groups.ts';
import type { LoopRanks, RankedModel, RankedPair } from './loop-ranks.ts';
import type { UnrankedModel } from './unranked.ts';

export interface RankTables {
  readonly loop_ranks: readonly Row[];
  readonly loop_pairs: readonly Row[];
  readonly loop_rank_changes: readonly Row[];
  readonly loop_groups: readonly Row[];
}

const statistics = {
  changed_share: 'changedShare',
  large_share: 'largeShare',
  mean_absolute: 'meanAbsolute',
  reversed_share: 'reversedShare',
  spearman: 'spearman',
  kendall: 'kendall',
} as const satisfies Record<string, keyof RankChangeShares>;

export const rankTables = (all: readonly LoopRanks[]): RankTables => ({
  loop_ranks: all.flatMap(modelRows),
  loop_pairs: all.flatMap(({ run, study, tasks, pairs }) =>
    pairs.map(({ model, other, ahead, reversed }) => ({
      run,
      study,
      model,
      other_model: other,
      ahead,
      reversed,
      n_tasks: tasks,
    })),
  ),
  loop_rank_changes: all.flatMap(changeRows),
  loop_groups: all.flatMap(({ run, study, tasks, groups }) =>
    groups.map(({ by, group, models, asl, drop, rise }) => ({
      run,
      study,
      grouped_by: by,
      member: group,
      n_models: models,
      ...estimate('asl_unweighted', asl),
      ...estimate('absolute_drop', drop),
      ...estimate('rise', rise),
      n_tasks: tasks,
      level: defaultLevel,
      confidence: defaultLevel,
      method: `${boundedMeanMethod}; rise: range of places in ${defaultResamples} draws of tasks`,
    })),
  ),
});

const estimate = (name: string, found: Estimate | null): Row => ({
  [name]: found?.value ?? null,
  [`${name}_lo`]: found?.interval?.lo ?? null,
  [`${name}_hi`]: found?.interval?.hi ?? null,
});

function modelRows({ run, study, tasks, models, unranked }: LoopRanks): Row[] {
  const common = { run, study, n_tasks: tasks, level: defaultLevel, confidence: defaultLevel };
  return [
    ...models.map((row, at) => ({ ...common, ...placedModel(row), next_model: models[at + 1]?.model ?? null })),
    ...unranked.map((row) => ({ ...common, ...unplacedModel(row) })),
  ];
}

const placedModel = (row: RankedModel): Row => ({
  model: row.model,
  ...estimate('pass_at_1', { value: row.passAt1, interval: row.passAt1Interval }),
  ...estimate('asl_unweighted', { value: row.aslUnweighted, interval: row.aslInterval }),
  ...estimate('pass_place', { value: row.passPlace, interval: row.passPlaceInterval }),
  ...estimate('asl_place', { value: row.aslPlace, interval: row.aslPlaceInterval }),
  ahead_of_next: row.aheadOfNext,
  n_unjudged: row.unjudged,
  reason: null,
  method: `places: ${placeMethod}; scores: ${boundedMeanMethod}`,
});

const unplacedModel = ({ model, unjudged, reason }: UnrankedModel): Row => ({
  model,
  ...estimate('pass_at_1', null),
  ...estimate('asl_unweighted', null),
  ...estimate('pass_place', null),
  ...estimate('asl_place', null),
  next_model: null,
  ahead_of_next: null,
  n_unjudged: unjudged,
  reason,
  method: null,
});

const drawnMethod = 'range of the values in draws of tasks, no test of a change';
const correlations = ['spearman', 'kendall'] as const satisfies readonly (keyof typeof statistics)[];

function changeRows({ run, study, tasks, models, changes, intervals, extremes }: LoopRanks): Row[] {
  const row = (statistic: string, value: number | null, drawn: DrawnInterval | null): Row => ({
    run,
    study,
    statistic,
    value,
    value_lo: drawn?.interval?.lo ?? null,
    value_hi: drawn?.interval?.hi ?? null,
    n_models: models.length,
    n_tasks: tasks,
    n_draws: drawn?.draws ?? 0,
    level: defaultLevel,
    confidence: defaultLevel,
    method:
      drawn === null ? null : (correlations as readonly string[]).includes(statistic) ? correlationMethod : drawnMethod,
  });
  return [
    ...Object.entries(statistics).map(([statistic, name]) => row(statistic, changes[name], intervals[name])),
    row('highest_rise', extremes?.[0] ?? null, null),
    row('deepest_fall', extremes?.[1] ?? null, null),
  ];
}

export function ranksFrom(tables: RankTables): LoopRanks[] {
  const studies = Map.groupBy(tables.loop_ranks, studyName);
  return [...studies].map(([name, rows]) => {
    const first = rows[0] as Row;
    const changed = new Map(
      tables.loop_rank_changes.filter((row) => studyName(row) === name).map((row) => [textOf(row, 'statistic'), row]),
    );
    const models = rows
      .filter(hasPlace)
      .map(rankedModel)
      .toSorted((a, b) => a.aslPlace - b.aslPlace || (a.model < b.model ? -1 : 1));
    const order = new Map(models.map(({ model }, at) => [model, at]));
    const listed = (a: string, b: string): number => (order.get(a) ?? 0) - (order.get(b) ?? 0);
    return {
      run: textOf(first, 'run'),
      study: textOf(first, 'study'),
      tasks: numberOf(first, 'n_tasks'),
      models,
      unranked: rows
        .filter((row) => !hasPlace(row))
        .map(unrankedModel)
        .toSorted((a, b) => (a.model < b.model ? -1 : 1)),
      pairs: tables.loop_pairs
        .filter((row) => studyName(row) === name)
        .map(rankedPair)
        .toSorted((a, b) => listed(a.model, b.model) || listed(a.other, b.other)),
      ...changesFrom(changed),
      groups: tables.loop_groups
        .filter((row) => studyName(row) === name)
        .map(rankedGroup)
        .toSorted(byGroup),
    };
  });
}

export const studyName = (row: Row): string => JSON.stringify([row['run'], row['study']]);

const hasPlace = (row: Row): boolean => row['asl_place'] != null;

const unrankedModel = (row: Row): UnrankedModel => ({
  model: textOf(row, 'model'),
  unjudged: numberOf(row, 'n_unjudged'),
  reason: textOf(row, 'reason'),
});

const rankedModel = (row: Row): RankedModel => ({
  model: textOf(row, 'model'),
  passAt1: numberOf(row, 'pass_at_1'),
  aslUnweighted: numberOf(row, 'asl_unweighted'),
  passPlace: numberOf(row, 'pass_place'),
  aslPlace: numberOf(row, 'asl_place'),
  passAt1Interval: estimateOf(row, 'pass_at_1')?.interval ?? null,
  aslInterval: estimateOf(row, 'asl_unweighted')?.interval ?? null,
  passPlaceInterval: estimateOf(row, 'pass_place')?.interval ?? null,
  aslPlaceInterval: estimateOf(row, 'asl_place')?.interval ?? null,
  unjudged: numberOrNull(row, 'n_unjudged'),
  aheadOfNext: numberOrNull(row, 'ahead_of_next'),
});

const rankedPair = (row: Row): RankedPair => ({
  model: textOf(row, 'model'),
  other: textOf(row, 'other_model'),
  ahead: numberOf(row, 'ahead'),
  reversed: row['reversed'] === true,
});

function changesFrom(rows: ReadonlyMap<string, Row>): Pick<LoopRanks, 'changes' | 'intervals' | 'extremes'> {
  const value = (statistic: string): number | null => numberOrNull(rows.get(statistic) ?? {}, 'value');
  const named = <Value>(of: (row: Row) => Value) =>
    Object.fromEntries(Object.entries(statistics).map(([statistic, name]) => [name, of(rows.get(statistic) ?? {})]));
  const [rise, fall] = [value('highest_rise'), value('deepest_fall')];
  return {
    changes: named((row) => numberOrNull(row, 'value')) as unknown as RankChangeShares,
    intervals: named((row) => ({
      interval: estimateOf(row, 'value')?.interval ?? null,
      draws: numberOrNull(row, 'n_draws') ?? 0,
    })) as unknown as LoopRanks['intervals'],
    extremes: rise === null || fall === null ? null : [rise, fall],
  };
}

const rankedGroup = (row: Row): RankedGroup => ({
  by: textOf(row, 'grouped_by') as RankedGroup['by'],
  group: textOf(row, 'member'),
  models: numberOf(row, 'n_models'),
  asl: estimateOf(row, 'asl_unweighted'),
  drop: estimateOf(row, 'absolute_drop'),
  rise: estimateOf(row, 'rise'),
});

const groupOrder: readonly RankedGroup['by'][] = ['family', 'size', 'training'];
const byGroup = (a: RankedGroup, b: RankedGroup): number =>
  groupOrder.indexOf(a.by) - groupOrder.indexOf(b.by) ||
  (b.asl?.value ?? 0) - (a.asl?.value ?? 0) ||
  (a.group < b.group ? -1 : 1);
