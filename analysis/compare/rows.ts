/** Rows of the tables of a saved comparison. */
import { type ComparedModel, type Comparison, decisiveFirst, ownValues } from '../../domain/compare/comparison.ts';
import type { comparisonTables } from '../../schemas/tables/comparison.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Cards } from '../card/card-source.ts';

export type ComparisonRows = Readonly<Record<keyof typeof comparisonTables, readonly Row[]>>;

export const comparisonRows = (
  comparisons: readonly Comparison[],
  cards: Pick<Cards, 'cards' | 'card_agreement'> | null,
): ComparisonRows => ({
  compared_models: comparisons.flatMap(modelRows),
  compared_pairs: comparisons.flatMap(pairRows),
  compared_tasks: comparisons.flatMap(taskRows),
  compared_cards: cards?.cards ?? [],
  compared_agreement: cards?.card_agreement ?? [],
});

export const placeOf = ({ study, subject, variant }: Comparison): Row => ({
  study,
  metric: subject.metric,
  suite: subject.suite,
  benchmark: subject.benchmark,
  dimension: subject.dimension,
  workflow: subject.workflow,
  variant,
});

function modelRows(comparison: Comparison): Row[] {
  const { models, standings, taskIds, ownTasks, options, unjudged } = comparison;
  return standings.map(({ model, value, interval, rank, rankInterval, posterior, letters }) => {
    const { run, model: id, simulated } = models[model] as ComparedModel;
    return {
      ...placeOf(comparison),
      ...{ run, model: id },
      ...{ value, value_lo: interval.lo, value_hi: interval.hi },
      ...{ rank, rank_lo: rankInterval.lo, rank_hi: rankInterval.hi, letters },
      ...{ posterior_rank: posterior?.rank ?? null, p_best: posterior?.best ?? null },
      ...{ posterior_rank_lo: posterior?.interval.lo ?? null, posterior_rank_hi: posterior?.interval.hi ?? null },
      ...{ n_tasks: taskIds.length, n_own_tasks: ownTasks[model] as number },
      n_unjudged: unjudged?.[model] ?? 0,
      ...{ confidence: 1 - options.alpha, simulated },
    };
  });
}

function pairRows(comparison: Comparison): Row[] {
  const { taskIds, options } = comparison;
  return decisiveFirst(comparison).map(({ ahead, behind, interval, ...pair }) => ({
    ...placeOf(comparison),
    ...{ run: ahead.run, model: ahead.model, other_run: behind.run, other_model: behind.model },
    ...{ difference: pair.difference, difference_lo: interval.lo, difference_hi: interval.hi },
    ...{ method: pair.method, p: pair.p, p_holm: pair.pHolm, p_bh: pair.pBh, verdict: pair.verdict },
    ...{ better: pair.better, worse: pair.worse },
    ...{ smallest_effect: pair.smallestEffect, tasks_needed: pair.tasksNeeded, margin: options.margin },
    ...{ n_tasks: taskIds.length, n_judged: pair.judgedTasks },
    ...{ confidence: 1 - options.alpha, simulated: ahead.simulated || behind.simulated },
  }));
}

function taskRows(comparison: Comparison): Row[] {
  const { models, taskIds, values, samples, byPrompt } = comparison;
  const own = ownValues(comparison);
  if (values.length === 0) return [];
  const isPartly = taskIds.map((_, task) => byPrompt?.some((tasks) => tasks[task]?.includes(null)) === true);
  return models.flatMap(({ run, model, simulated }, side) =>
    taskIds.map((taskId, task) => ({
      ...placeOf(comparison),
      ...{ run, model, task_id: taskId },
      value: own[side]?.[task] ?? null,
      by_prompt: isPartly[task] === true ? JSON.stringify(byPrompt?.[side]?.[task]) : null,
      ...{ samples: samples?.[side]?.[task] ?? null, simulated },
    })),
  );
}
