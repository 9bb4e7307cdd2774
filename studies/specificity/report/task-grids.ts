/** From which prompts each task is solved: tasks by model, or the levels of detail of one model. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { type AnswerCounts, answerCounts } from '../../../analysis/report/matrix/answer-counts.ts';
import { answerGrids, type ShownCondition } from '../../../analysis/report/matrix/answer-grid.ts';
import type { Section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { type Curve, curves } from '../results/scores.ts';

/** A condition is a prompt; prompts of one level are drawn alike and summed up. */
export const detailCounts = (database: RunDatabase): Promise<AnswerCounts[]> =>
  answerCounts(database, {
    kinds: ['specificity'],
    from: 'prompt_passes',
    ...{ condition: 'variant', of: `concat_ws(' ', augmentation, format('{:g}', level))` },
    ...{ passed: 'coalesce(passed, false)::INT', counted: '(passed IS NOT NULL)::INT' },
    // A prompt that is missing was not asked.
    excluded: '(passed IS NULL AND words IS NOT NULL)::INT',
    grid: `CASE WHEN setting = 'default' THEN '' ELSE setting END`,
  });

const about =
  'Each cell is the share of prompts whose answer passes every suite, in %: first over all prompts of the task, then ' +
  'at each level of detail.';

export const tasksSection = (
  counts: readonly AnswerCounts[],
  models: readonly string[],
  context: ReportContext,
): Section =>
  answerGrids(
    counts,
    { models, about, varies: 'levels of detail', conditions: levels, keyOf: ({ variant }) => variant },
    context,
    'detail-tasks',
  );

/** All prompts, then from the least detail to the most; a level of several draws, and its draws after it. */
function levels({ conditions }: Pick<AnswerCounts, 'conditions'>): ShownCondition[] {
  const ofLevel = [...Map.groupBy(conditions, ({ of }) => of)].toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  const shown = ofLevel.flatMap(([level, own]): ShownCondition[] => {
    const draws = own.map(({ key }) => ({ name: key, keys: [key] }));
    return own.length === 1
      ? [{ name: level, keys: draws[0]?.keys ?? [] }]
      : [{ name: level, keys: keysOf(own) }, ...draws];
  });
  return [...(conditions.length > 1 ? [{ name: 'All prompts', keys: keysOf(conditions) }] : []), ...shown];
}

const keysOf = (own: AnswerCounts['conditions']): string[] => own.map(({ key }) => key);

const augmentations = ['minimal', 'summary', 'paragraphs', 'mask', 'maximal', 'original'];

/** Within an augmentation, levels of more detail come later. */
function placeOf(of: string): number {
  const [augmentation = '', level = '0'] = of.split(' ');
  const direction = augmentation in curves ? curves[augmentation as Curve] : 1;
  return 1e6 * augmentations.indexOf(augmentation) + direction * Number(level);
}
