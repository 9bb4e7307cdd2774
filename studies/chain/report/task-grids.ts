/** How far the chains of each task get: tasks by model, or the steps of one model. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { excludedList } from '../../../analysis/excluded-list.ts';
import { type AnswerCounts, answerCounts } from '../../../analysis/report/matrix/answer-counts.ts';
import { answerGrids, type ShownCondition } from '../../../analysis/report/matrix/answer-grid.ts';
import type { Section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';

/** Whether it is known how many steps a chain passes in a row: so it is if the first other one was judged. */
const isKnown = `(ended_by <> 'excluded' OR coalesce(ended_outcome NOT IN (${excludedList}), false))`;

/**
 * A row per chain and step, and one for all steps, 0. A step counts as passed if it and all steps before it passed.
 * Where a step could not be judged, those before it count.
 */
const steps = `(
  SELECT run, study, benchmark, language, model, task_id, setting, step,
    CASE WHEN step = 0 THEN sustained_steps ELSE (sustained_steps >= step)::INT END AS passed,
    CASE WHEN ended_by = 'start_failed' OR NOT (${isKnown} OR step BETWEEN 1 AND sustained_steps) THEN 0
      WHEN step = 0 THEN steps ELSE 1 END AS counted
  FROM (SELECT *, unnest(range(steps + 1)) AS step FROM chains))`;

/** The key of all steps. */
const whole = '000';

export const stepCounts = (database: RunDatabase): Promise<AnswerCounts[]> =>
  answerCounts(database, {
    kinds: ['evaloop-translation'],
    from: steps,
    condition: `format('{:03d}', step)`,
    ...{ passed: 'least(passed, counted)', counted: 'counted', excluded: '(counted = 0)::INT' },
    grid: `CASE WHEN setting = 'default' THEN '' ELSE setting END`,
  });

const about =
  'Each cell is the share of steps that a chain passes in a row from the first, in %; × also stands for a task whose ' +
  'reference fails its own tests, and for steps from the first that could not be judged.';

export const tasksSection = (
  counts: readonly AnswerCounts[],
  models: readonly string[],
  context: ReportContext,
): Section =>
  answerGrids(
    counts,
    { models, about, varies: 'steps', conditions: stepsInOrder, keyOf: () => '001' },
    context,
    'chain-tasks',
  );

/** All steps, then each. */
function stepsInOrder({ conditions }: Pick<AnswerCounts, 'conditions'>): ShownCondition[] {
  const keys = conditions
    .map(({ key }) => key)
    .filter((key) => key !== whole)
    .toSorted();
  return [
    ...(keys.length > 1 ? [{ name: 'All steps', keys, total: whole }] : []),
    ...keys.map((key) => ({ name: `Step ${Number(key)}`, keys: [key] })),
  ];
}
