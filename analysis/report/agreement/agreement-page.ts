/** The page that compares verdicts here with those of the tool that answers were imported from. */
import { kappaOfCounts } from '../../../domain/statistics/cohen-kappa.ts';
import { count, number, share } from '../cells.ts';
import { withEvidence } from '../examples/evidence.ts';
import { countText } from '../format.ts';
import { withMeanings } from '../meanings/glossary.ts';
import type { Glossary } from '../meanings/glossary.ts';
import { type DataTable, note, section } from '../part.ts';
import type { Page, ReportContext } from '../study-report.ts';
import { type Agreement, type AgreementCounts, type Disagreement, mostTasks } from './agreement.ts';

export const agreementPage = (agreement: Agreement, context: ReportContext): Page => ({
  ...{ name: 'agreement', title: 'Agreement with other tools' },
  parts:
    agreement.tools.length === 0
      ? []
      : withMeanings(
          [
            section(undefined, [note(about), toolsTable(agreement.tools, context)], { id: 'tools' }),
            section(
              'Tasks on which verdicts differ',
              agreement.differing === 0
                ? [note('None: every answer that both judged has the same verdict.')]
                : [note(orderOf(agreement)), tasksTable(agreement.disagreements, context)],
              { id: 'differing', name: 'Differing tasks' },
            ),
          ],
          meanings,
        ),
});

const about =
  'Imported answers were judged again here. This page compares these verdicts with those that the other tool ' +
  'recorded, answer by answer. Every other number of this report is from the verdicts here.';

function orderOf({ differing, disagreements }: Agreement): string {
  const most = differing > disagreements.length ? `: ${mostTasks} of ${countText(differing)}` : '';
  return (
    `Those with the most answers first${most}. Usual causes are other tests, another limit on time or memory, and ` +
    'packages that one side lacks.'
  );
}

const outcomes = ['Both pass', 'Both fail', 'Passes only there', 'Passes only here'] as const;

const countCells = ({ bothPass, bothFail, onlyThere, onlyHere }: AgreementCounts) =>
  [bothPass, bothFail, onlyThere, onlyHere].map(count);

const judgedByBoth = ({ bothPass, bothFail, onlyThere, onlyHere }: AgreementCounts): number =>
  bothPass + bothFail + onlyThere + onlyHere;

const toolsTable = (tools: readonly AgreementCounts[], context: ReportContext): DataTable => ({
  words: 4,
  heads: ['Model', 'Study', 'Tool', 'Suite', 'Answers', 'Agreement', 'Kappa', ...outcomes, 'Not judged here'],
  rows: tools.map((row) => {
    const n = judgedByBoth(row);
    const { bothPass: both, onlyThere: onlyFirst, onlyHere: onlySecond, bothFail: neither } = row;
    return withEvidence(
      [
        ...[context.model(row.run, row.model), row.study, row.recordedBy, row.suite, count(n)],
        share(n === 0 ? null : (both + neither) / n),
        number(kappaOfCounts({ both, onlyFirst, onlySecond, neither })),
        ...countCells(row),
        count(row.unjudged),
      ],
      { run: row.run, study: row.study, model: row.model },
      context,
    );
  }),
});

const tasksTable = (tasks: readonly Disagreement[], context: ReportContext): DataTable => ({
  words: 6,
  heads: ['Model', 'Study', 'Benchmark', 'Task', 'Tool', 'Suite', 'Answers', 'Differ', ...outcomes.slice(2)],
  rows: tasks.map((row) =>
    withEvidence(
      [
        ...[context.model(row.run, row.model), row.study, row.benchmark, row.taskId, row.recordedBy, row.suite],
        ...[judgedByBoth(row), row.onlyThere + row.onlyHere, row.onlyThere, row.onlyHere].map(count),
      ],
      { run: row.run, study: row.study, model: row.model, benchmark: row.benchmark, task: row.taskId },
      context,
    ),
  ),
});

const meanings: Glossary = {
  method: 'Counts, without intervals: the answers are all that were imported. Kappa: Cohen 1960.',
  counts: ['Answers', 'Differ', ...outcomes, 'Not judged here'],
  n: { '': 'Answers' },
  heads: {
    Answers: 'Answers with a verdict of both',
    Agreement: 'Share of these answers with the same verdict',
    Kappa: 'Agreement beyond what the shares of passing answers would give by chance: 1 is perfect, 0 is chance',
    'Both pass': 'Answers that pass there and here',
    'Both fail': 'Answers that fail there and here',
    'Passes only there': 'Answers that passed there and fail here',
    'Passes only here': 'Answers that failed there and pass here',
    'Not judged here': 'Answers that evenkeel could not judge, or whose suite the run does not have',
    Differ: 'Answers with another verdict here than there',
  },
};
