/** Rows of the derived tables of plain pass@k, from counts by task. */
import { passAtK, passHatK } from '../../../domain/metrics/pass-at-k.ts';
import { meanColumns, shareBounds } from '../../../domain/metrics/score-intervals.ts';
import { boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { disagreementRatioMethod } from '../../../domain/statistics/intervals/disagreement-ratio.ts';
import { defaultLevel } from '../../../domain/statistics/intervals/interval.ts';
import type { Row } from '../../../schemas/tables.ts';
import {
  agreementAcross,
  agreementWithin,
  fleissKappa,
  isFlaky,
  isFlakyAcross,
  type SampleCount,
} from './agreement.ts';
import { type CellCount, type PassGroup, type TaskCounts, together } from './counts.ts';

/** One row per task. */
export const taskRows = ({ key, tasks, simulated }: PassGroup): Row[] =>
  tasks.map(({ taskId, repetitions }) => {
    const { counted, passed, excluded } = together(repetitions);
    return {
      ...key,
      task_id: taskId,
      n_repetitions: repetitions.filter((one) => one.counted > 0).length,
      n_solved: repetitions.filter((one) => one.passed > 0).length,
      n_samples: counted,
      n_passed: passed,
      n_excluded: excluded,
      pass_rate: counted === 0 ? null : passed / counted,
      flaky: isFlaky(repetitions),
      flaky_across: isFlakyAcross(repetitions),
      counted_by_repetition: repetitions.map((one) => one.counted),
      passed_by_repetition: repetitions.map((one) => one.passed),
      simulated,
    };
  });

/** One row per k over all repetitions, and one for each of them if there are several. */
export function passAtKRows(group: PassGroup, ks: readonly number[]): Row[] {
  const each =
    group.repetitions.length < 2 ? [] : group.repetitions.map((repetition, place) => ({ repetition, place }));
  return [{ repetition: null, place: null }, ...each].flatMap(({ repetition, place }) =>
    ks.map((k) => passAtKRow(group, repetition, place, k)),
  );
}

/** @param place of the repetition among those of the group; null for all of them */
function passAtKRow(group: PassGroup, repetition: number | null, place: number | null, k: number): Row {
  const counts = group.tasks.map(({ repetitions }) =>
    place === null ? together(repetitions) : (repetitions[place] as CellCount),
  );
  const used = counts.filter(({ counted }) => counted >= k);
  return {
    ...group.key,
    repetition,
    k,
    ...meanColumns(
      'pass_at_k',
      used.map(({ counted, passed }) => passAtK(counted, passed, k) as number),
      shareBounds,
    ),
    ...meanColumns(
      'pass_hat_k',
      used.map(({ counted, passed }) => passHatK(counted, passed, k) as number),
      shareBounds,
    ),
    confidence: defaultLevel,
    interval_method: boundedMeanMethod,
    n: used.length,
    n_short: counts.length - used.length,
    n_samples: together(used).counted,
    n_excluded: together(counts).excluded,
    reason: used.length === 0 ? `no task has ${k} samples that count` : null,
    simulated: group.simulated,
  };
}

/** One row. */
export function repeatRow({ key, tasks, repetitions, simulated }: PassGroup): Row {
  const flaky = valuesOf(tasks, isFlaky);
  const across = valuesOf(tasks, isFlakyAcross);
  const within = valuesOf(tasks, agreementWithin);
  const kappa = fleissKappa(tasks.map((task) => task.repetitions));
  return {
    ...key,
    n_repetitions: repetitions.length,
    ...meanColumns('flaky', flaky.map(Number), shareBounds),
    n_flaky: flaky.length,
    ...meanColumns('flaky_across', across.map(Number), shareBounds),
    ...meanColumns('agreement', valuesOf(tasks, agreementAcross), shareBounds),
    ...meanColumns('agreement_within', within, shareBounds),
    n_within: within.length,
    ...{ kappa: kappa.value, kappa_lo: kappa.interval?.lo ?? null, kappa_hi: kappa.interval?.hi ?? null },
    confidence: defaultLevel,
    interval_method: `${boundedMeanMethod}; of kappa ${disagreementRatioMethod}`,
    n: across.length,
    reason: repetitions.length < 2 ? 'there is one repetition only' : kappa.reason,
    simulated,
  };
}

/** The values of the tasks that have one. */
const valuesOf = <Value>(
  tasks: readonly TaskCounts[],
  value: (repetitions: readonly SampleCount[]) => Value | null,
): Value[] => tasks.map(({ repetitions }) => value(repetitions)).filter((one) => one !== null);
