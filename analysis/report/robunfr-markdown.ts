/** RobuNFR's results as Markdown tables. */
import type { NfrRow, RegressionRow } from '../robunfr-board.ts';
import { missing } from './format.ts';
import { measureName, type RobunfrReport } from './robunfr-data.ts';
import { robunfrMethod } from './robunfr-section.ts';

type TableText = (heads: readonly string[], rows: readonly (readonly string[])[]) => string;

const valueHeads = ['Model', 'workflow', 'requirement', 'measure', 'AVG', 'interval', 'STDEV', 'change', 'interval', 'n', 'excluded'];
const verdictHeads = ['Requirement', 'measure', 'old', 'new', 'change', 'difference', 'p (Holm)', 'could have seen', 'verdict'];

/** Empty where no run has such a study. */
export function robunfrMarkdown(report: RobunfrReport, tableText: TableText, escaped: (text: string) => string): string {
  if (report.summaries.length === 0) return '';
  const studies = Map.groupBy(report.summaries, ({ run, study }) => JSON.stringify([run, study]));
  const pairs = Map.groupBy(report.regressions, ({ run, study, old, now }) => JSON.stringify([run, study, old, now]));
  return [
    ...[...studies.values()].map((rows) => studyText(rows, tableText, escaped)),
    ...[...pairs.values()].map((rows) => pairText(rows, tableText, escaped)),
    ...(report.history.length === 0 ? [] : [historyText(report, tableText)]),
    '## How to read requirements',
    ...robunfrMethod.map(escaped),
  ].join('\n\n');
}

function studyText(rows: readonly NfrRow[], tableText: TableText, escaped: (text: string) => string): string {
  const [first] = rows as readonly [NfrRow];
  const reasons = [...new Set(rows.flatMap(({ mean, reason }) => (mean === null && reason !== null ? [reason] : [])))];
  const measured = rows.filter(({ mean }) => mean !== null);
  return [
    `## Study ${escaped(first.study)}: requirements`,
    escaped(`On ${first.benchmark}; change against Function-Only; 95 % intervals. ${reasons.join('. ')}`.trim()),
    tableText(
      valueHeads,
      measured.map((row) => [
        `${row.model}${row.simulated ? ' (simulated)' : ''}`,
        row.workflow,
        row.dimension,
        measureName(row),
        fixed(row.mean?.value ?? null),
        range(row.mean),
        fixed(row.stdev),
        row.dimension === 'function-only' ? missing : percent(row.deltaPercent?.value ?? null),
        row.dimension === 'function-only' ? missing : range(row.deltaPercent),
        String(row.n),
        String(row.nExcluded),
      ]),
    ),
  ].join('\n\n');
}

function pairText(rows: readonly RegressionRow[], tableText: TableText, escaped: (text: string) => string): string {
  const [first] = rows as readonly [RegressionRow];
  return [
    `## Study ${escaped(first.study)}: ${escaped(first.old)} to ${escaped(first.now)}`,
    tableText(
      verdictHeads,
      rows
        .filter(({ difference }) => difference !== null)
        .map((row) => [
          row.dimension,
          measureName(row),
          `${fixed(row.oldMean)} ± ${fixed(row.oldStdev)}`,
          fixed(row.newMean),
          percent(row.deltaPercent),
          range(row.difference),
          row.pAdjusted === null ? missing : row.pAdjusted.toPrecision(2),
          fixed(row.smallestEffect),
          row.verdict.replace('_', ' '),
        ]),
    ),
  ].join('\n\n');
}

const historyText = ({ history }: RobunfrReport, tableText: TableText): string =>
  [
    '## Verdicts over runs',
    tableText(
      ['Run', 'before', 'study', 'model', 'requirement', 'measure', 'old', 'new', 'verdict'],
      history.map((step) => [
        step.run,
        step.before,
        step.study,
        step.model,
        step.dimension,
        measureName(step),
        fixed(step.oldMean),
        fixed(step.newMean),
        step.verdict.replace('_', ' '),
      ]),
    ),
  ].join('\n\n');

const fixed = (value: number | null): string => (value === null ? missing : value.toFixed(2));
const percent = (value: number | null): string => (value === null ? missing : `${value > 0 ? '+' : ''}${value.toFixed(2)} %`);
const range = (estimate: NfrRow['mean']): string =>
  estimate?.interval == null ? missing : `${estimate.interval.lo.toFixed(2)} to ${estimate.interval.hi.toFixed(2)}`;
