/** Which programs pass with and without a requirement: tasks by model, or the phrasings of one model. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { type AnswerCounts, answerCounts } from '../../../analysis/report/matrix/answer-counts.ts';
import { answerGrids, type ShownCondition } from '../../../analysis/report/matrix/answer-grid.ts';
import type { Section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { workflowName } from './names.ts';

/** A condition is a workflow with a phrasing, or Function-Only with all its repetitions. */
export const requirementCounts = (database: RunDatabase): Promise<AnswerCounts[]> =>
  answerCounts(database, {
    kinds: ['robunfr-prompts', 'robunfr-regression', 'robunfr-workflows'],
    from: 'nfr_scores',
    ...{ condition: `concat_ws(' ', setting, variant)`, of: `concat_ws(' ', setting, dimension)` },
    ...{ passed: 'coalesce(passed, false)::INT', counted: '(passed IS NOT NULL)::INT' },
    excluded: '(passed IS NULL)::INT',
  });

const about =
  'Each cell is the share of programs that pass every suite, in %: first without a requirement, then with each ' +
  'requirement over all its phrasings, then with each phrasing.';

export const tasksSection = (
  counts: readonly AnswerCounts[],
  models: readonly string[],
  context: ReportContext,
): Section =>
  answerGrids(
    counts,
    {
      ...{ models, about, varies: 'phrasings', conditions: phrasings },
      keyOf: ({ setting, variant }) => `${setting} ${variant}`,
    },
    context,
    'requirement-tasks',
  );

/** Function-Only, each workflow's requirements, then their phrasings. */
function phrasings({ conditions }: Pick<AnswerCounts, 'conditions'>): ShownCondition[] {
  const isPlain = ({ of }: { readonly of: string }): boolean => of.startsWith('function-only');
  const asked = conditions.filter((one) => !isPlain(one));
  const ofRequirement = [...Map.groupBy(asked, ({ of }) => of)].filter(([, own]) => own.length > 1);
  return [
    ...conditions.filter(isPlain).map(({ key }) => ({ name: 'Function-Only', keys: [key] })),
    ...ofRequirement.map(([of, own]) => ({ name: `${nameOf(of)}, all`, keys: own.map(({ key }) => key) })),
    ...asked.map(({ key }) => ({ name: nameOf(key), keys: [key] })),
  ];
}

/** `integrated reliability-01` for `nfr-integrated reliability-01`. */
const nameOf = (key: string): string => workflowName(key);
