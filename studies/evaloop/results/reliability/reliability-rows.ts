/** Converts ranks under other settings, and greedy and sampled runs, to rows of their tables and back. */
import { numberOf, numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import { boundedMeanMethod, openMethod } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { concordanceMethod, correlationMethod } from '../../../../domain/statistics/intervals/correlation-interval.ts';
import { iccMethod } from '../../../../domain/statistics/intervals/icc-interval.ts';
import { defaultLevel, type Interval } from '../../../../domain/statistics/intervals/interval.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { estimateOf } from '../../../../analysis/estimate.ts';
import type { GreedyAndSampled } from './greedy-and-sampled.ts';
import type { LoopReliability } from './loop-reliability.ts';

export interface ReliabilityTables {
  readonly loop_places: readonly Row[];
  readonly loop_reliability: readonly Row[];
  readonly loop_sampling: readonly Row[];
}

export const reliabilityTables = (
  all: readonly LoopReliability[],
  sampled: readonly GreedyAndSampled[],
): ReliabilityTables => ({
  loop_places: all.flatMap(placeRows),
  loop_reliability: all.flatMap(agreementRows),
  loop_sampling: sampled.map(samplingRow),
});

/** One row per setting and model; models that are not ranked have null places. */
function placeRows({ run, study, over, settings, judged, reliability, cells }: LoopReliability): Row[] {
  const countOf = (model: string, setting: string): number => cells.get(JSON.stringify([model, setting])) ?? 0;
  const common = { run, study, compared: over, score: judged ? 'asl' : 'asl_unweighted' };
  return ['default', ...settings].flatMap((setting, position) => [
    ...reliability.models.map(({ model, baselinePlace, places, averagePlace }) => ({
      ...common,
      setting,
      model,
      place: [baselinePlace, ...places][position] as number,
      average_place: averagePlace,
      position,
      n: countOf(model, setting),
      n_models: reliability.models.length,
    })),
    ...reliability.leftOut.map((model) => ({
      ...common,
      setting,
      model,
      place: null,
      average_place: null,
      position,
      n: countOf(model, setting),
      n_models: reliability.models.length,
    })),
  ]);
}

function agreementRows({ run, study, over, reliability }: LoopReliability): Row[] {
  const { models, leftOut, bySetting, kendallW, kendallWInterval, icc, iccIntervals } = reliability;
  const common = {
    run,
    study,
    compared: over,
    n_models: models.length,
    n_left_out: leftOut.length,
    level: defaultLevel,
    confidence: defaultLevel,
    method,
  };
  const all = {
    ...estimate('kendall_w', kendallW, kendallWInterval),
    ...estimate('icc_agreement', icc?.agreement, iccIntervals?.agreement),
    ...estimate('icc_consistency', icc?.consistency, iccIntervals?.consistency),
  };
  const none = Object.fromEntries(Object.keys(all).map((column) => [column, null]));
  return [
    {
      ...common,
      setting: 'average',
      position: 0,
      ...estimate('spearman', reliability.spearman, reliability.interval),
      ...all,
    },
    ...bySetting.map(({ setting, spearman, interval }, at) => ({
      ...common,
      setting,
      position: at + 1,
      ...estimate('spearman', spearman, interval),
      ...none,
    })),
  ];
}

const method = `Spearman: ${correlationMethod}; W: ${concordanceMethod}; ICC: ${iccMethod}, over models`;

const estimate = (name: string, value: number | null | undefined, interval: Interval | null | undefined): Row => ({
  [name]: value ?? null,
  [`${name}_lo`]: interval?.lo ?? null,
  [`${name}_hi`]: interval?.hi ?? null,
});

const samplingRow = (one: GreedyAndSampled): Row => ({
  run: one.run,
  study: one.study,
  model: one.model,
  greedy: one.greedy,
  greedy_lo: one.greedyInterval?.lo ?? null,
  greedy_hi: one.greedyInterval?.hi ?? null,
  sampled: one.sampled,
  sampled_lo: one.sampledInterval?.lo ?? null,
  sampled_hi: one.sampledInterval?.hi ?? null,
  difference: one.difference,
  difference_lo: one.differenceInterval?.lo ?? null,
  difference_hi: one.differenceInterval?.hi ?? null,
  p: one.p,
  greedy_sustained: one.greedySustained,
  sampled_sustained: one.sampledSustained,
  n_tasks: one.tasks,
  level: defaultLevel,
  confidence: defaultLevel,
  method: `${one.isOpen ? openMethod : boundedMeanMethod}; p: sign flips of whole tasks`,
});

const comparisonName = (row: Row): string => JSON.stringify([row['run'], row['study'], row['compared']]);
const byPosition = (a: Row, b: Row): number => numberOf(a, 'position') - numberOf(b, 'position');

export function reliabilitiesFrom({ loop_places, loop_reliability }: ReliabilityTables): LoopReliability[] {
  return [...Map.groupBy(loop_reliability, comparisonName)].map(([name, unordered]) => {
    const [average = {}, ...settings] = unordered.toSorted(byPosition);
    const places = loop_places.filter((row) => comparisonName(row) === name);
    const agreement = estimateOf(average, 'icc_agreement')?.interval ?? null;
    const consistency = estimateOf(average, 'icc_consistency')?.interval ?? null;
    const icc = {
      agreement: numberOrNull(average, 'icc_agreement'),
      consistency: numberOrNull(average, 'icc_consistency'),
    };
    return {
      run: textOf(average, 'run'),
      study: textOf(average, 'study'),
      over: textOf(average, 'compared') as LoopReliability['over'],
      judged: places[0]?.['score'] === 'asl',
      settings: settings.map((row) => textOf(row, 'setting')),
      cells: new Map(
        places.map((row) => [JSON.stringify([row['model'], row['setting']]), numberOrNull(row, 'n') ?? 0]),
      ),
      reliability: {
        ...modelsFrom(places),
        spearman: numberOrNull(average, 'spearman'),
        interval: estimateOf(average, 'spearman')?.interval ?? null,
        bySetting: settings.map((row) => ({
          setting: textOf(row, 'setting'),
          spearman: numberOrNull(row, 'spearman'),
          interval: estimateOf(row, 'spearman')?.interval ?? null,
        })),
        kendallW: numberOrNull(average, 'kendall_w'),
        kendallWInterval: estimateOf(average, 'kendall_w')?.interval ?? null,
        iccIntervals: agreement === null || consistency === null ? null : { agreement, consistency },
        icc:
          icc.agreement === null || icc.consistency === null
            ? null
            : { agreement: icc.agreement, consistency: icc.consistency },
      },
    };
  });
}

function modelsFrom(places: readonly Row[]): Pick<LoopReliability['reliability'], 'models' | 'leftOut'> {
  const byModel = [...Map.groupBy(places, (row) => textOf(row, 'model'))];
  const isRanked = (rows: readonly Row[]): boolean => rows.every((row) => row['place'] !== null);
  const models = byModel
    .filter(([, rows]) => isRanked(rows))
    .map(([model, rows]) => {
      const [baselinePlace = 0, ...own] = rows.toSorted(byPosition).map((row) => numberOf(row, 'place'));
      return { model, baselinePlace, places: own, averagePlace: numberOf(rows[0] as Row, 'average_place') };
    });
  return {
    models: models.toSorted((a, b) => a.baselinePlace - b.baselinePlace || (a.model < b.model ? -1 : 1)),
    leftOut: byModel.filter(([, rows]) => !isRanked(rows)).map(([model]) => model),
  };
}

export const samplingsFrom = ({ loop_sampling }: ReliabilityTables): GreedyAndSampled[] =>
  loop_sampling.map((row) => ({
    run: textOf(row, 'run'),
    study: textOf(row, 'study'),
    model: textOf(row, 'model'),
    greedy: numberOrNull(row, 'greedy'),
    greedyInterval: estimateOf(row, 'greedy')?.interval ?? null,
    sampled: numberOrNull(row, 'sampled'),
    sampledInterval: estimateOf(row, 'sampled')?.interval ?? null,
    difference: numberOrNull(row, 'difference'),
    differenceInterval: estimateOf(row, 'difference')?.interval ?? null,
    p: numberOrNull(row, 'p'),
    greedySustained: row['greedy_sustained'] as readonly number[],
    sampledSustained: row['sampled_sustained'] as readonly number[],
    tasks: numberOf(row, 'n_tasks'),
    isOpen: textOf(row, 'method').startsWith(openMethod),
  }));
