/** Which samples of each task pass: tasks by model, or the samples of one model. */
import { excludedList } from '../../../analysis/excluded-list.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { type AnswerCounts, answerCounts } from '../../../analysis/report/matrix/answer-counts.ts';
import { answerGrids, type ShownCondition } from '../../../analysis/report/matrix/answer-grid.ts';
import type { Section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';

/** A row per answer: whether it passes every suite; null if none fails and a limit of evenkeel left one unjudged. */
const answers = `(
  SELECT run, study, benchmark, language, model, task_id, setting, repetition, sample,
    CASE WHEN bool_and(outcome = 'pass') THEN true WHEN bool_or(outcome NOT IN ('pass', ${excludedList})) THEN false END
      AS passed
  FROM verdicts WHERE step = 'generate' AND loop = 1 GROUP BY ALL)`;

/** More samples than these are only in the sum over all: each is a column of its own. */
const mostSamples = 50;

export const sampleCounts = (database: RunDatabase): Promise<AnswerCounts[]> =>
  answerCounts(database, {
    kinds: ['pass'],
    from: answers,
    condition: `CASE WHEN sample < ${mostSamples} THEN format('{}/{}', repetition, sample) ELSE 'others' END`,
    ...{ passed: 'coalesce(passed, false)::INT', counted: '(passed IS NOT NULL)::INT' },
    excluded: '(passed IS NULL)::INT',
    grid: `CASE WHEN setting = 'default' THEN '' ELSE setting END`,
  });

const about = 'Each cell is the share of samples that pass every suite, in %.';

export const tasksSection = (
  counts: readonly AnswerCounts[],
  models: readonly string[],
  context: ReportContext,
): Section =>
  answerGrids(
    counts,
    { models, about, varies: 'samples', conditions: samples, keyOf: ({ repetition }) => `${repetition}/0` },
    context,
    'sample-tasks',
  );

/** All samples, each repetition if there are several, then each sample. */
function samples({ conditions }: Pick<AnswerCounts, 'conditions'>): ShownCondition[] {
  const keys = conditions.map(({ key }) => key).toSorted((a, b) => naturalOrder.compare(a, b));
  const single = keys.filter((key) => key !== 'others');
  const repetitions = [...Map.groupBy(single, (key) => Number(key.split('/')[0]))];
  const isOnce = repetitions.length === 1;
  const sampleName = (key: string): string => {
    const [repetition = 0, sample = 0] = key.split('/').map(Number);
    return isOnce ? `Sample ${sample + 1}` : `Repetition ${repetition + 1}, sample ${sample + 1}`;
  };
  return [
    { name: 'All samples', keys },
    ...(isOnce || repetitions.length === single.length
      ? []
      : repetitions.map(([repetition, own]) => ({ name: `Repetition ${repetition + 1}`, keys: own }))),
    ...(keys.length === 1 ? [] : single.map((key) => ({ name: sampleName(key), keys: [key] }))),
  ];
}

const naturalOrder = new Intl.Collator('en', { numeric: true });
