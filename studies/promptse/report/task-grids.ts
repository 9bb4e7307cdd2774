/** Which answers to each phrasing of a task pass: tasks by model, or the phrasings of one model. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { type AnswerCounts, answerCounts } from '../../../analysis/report/matrix/answer-counts.ts';
import { answerGrids, type ShownCondition } from '../../../analysis/report/matrix/answer-grid.ts';
import type { Section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';

export const phrasingCounts = (database: RunDatabase): Promise<AnswerCounts[]> =>
  answerCounts(database, {
    kinds: ['promptse'],
    from: 'prompt_scores',
    ...{ condition: 'variant', of: `format('{:g}', distance)` },
    ...{ passed: 'n_passed', counted: 'n_samples', excluded: 'n_excluded' },
    grid: `CASE WHEN setting = 'default' THEN '' ELSE setting END`,
  });

const about =
  'Each cell is the share of answers that pass every suite, in %; first those to all variants of the prompt.';

export const tasksSection = (
  counts: readonly AnswerCounts[],
  models: readonly string[],
  context: ReportContext,
): Section =>
  answerGrids(
    counts,
    { models, about, varies: 'phrasings', conditions: phrasings, keyOf: ({ variant }) => variant },
    context,
    'phrasing-tasks',
  );

/** All variants, the original, each distance, then each variant. */
function phrasings({ conditions }: Pick<AnswerCounts, 'conditions'>): ShownCondition[] {
  const variants = conditions.filter(({ key }) => key !== 'original');
  const ofDistance = Map.groupBy(variants, ({ of }) => of);
  return [
    ...(variants.length > 1 ? [{ name: 'All variants', keys: variants.map(({ key }) => key) }] : []),
    { name: 'Original prompt', keys: ['original'] },
    ...[...ofDistance]
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([distance, own]) => ({ name: `Distance ${distance}`, keys: own.map(({ key }) => key) })),
    ...variants.map(({ key }) => ({ name: key, keys: [key] })),
  ];
}
