/** How far the chains of each task get: tasks by model, or the steps of one model. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { type AnswerCounts, answerCounts } from '../../../analysis/report/matrix/answer-counts.ts';
import { answerGrids, type ShownCondition } from '../../../analysis/report/matrix/answer-grid.ts';
import type { Section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';

/** A row per chain and step: a step counts as passed if it and all steps before it passed. */
const steps = `(
  SELECT run, study, benchmark, language, model, task_id, setting, step, sustained_steps >= step AS passed,
    ended_by NOT IN ('excluded', 'start_failed') AS counts
  FROM (SELECT *, unnest(range(1, steps + 1)) AS step FROM chains))`;

export const stepCounts = (database: RunDatabase): Promise<AnswerCounts[]> =>
  answerCounts(database, {
    kinds: ['evaloop-translation'],
    from: steps,
    condition: `format('{:03d}', step)`,
    ...{ passed: '(counts AND passed)::INT', counted: 'counts::INT', excluded: '(NOT counts)::INT' },
    grid: `CASE WHEN setting = 'default' THEN '' ELSE setting END`,
  });

const about =
  'Each cell is the share of steps that a chain passes in a row from the first, in %; × also stands for a task whose ' +
  'reference fails its own tests.';

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
  const keys = conditions.map(({ key }) => key).toSorted();
  return [
    ...(keys.length > 1 ? [{ name: 'All steps', keys }] : []),
    ...keys.map((key) => ({ name: `Step ${Number(key)}`, keys: [key] })),
  ];
}
