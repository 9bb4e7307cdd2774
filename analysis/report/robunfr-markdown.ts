/** RobuNFR's results as Markdown tables. */
import type { NfrRow, RegressionRow } from '../robunfr-board.ts';
import type { DataTable } from './data-table.ts';
import { dataTableText, type TableText } from './data-table-text.ts';
import { missing } from './format.ts';
import { measureName, type RobunfrReport, type UpdateSummary } from './robunfr-data.ts';
import { failureTable } from './robunfr/failure-table.ts';
import { publishedNote, publishedTables } from './robunfr/published-tables.ts';
import { updateTables } from './robunfr/update-tables.ts';
import { percentRange, percentText, percentWithRange, rangeText, ratioText, valueText, valueWithRange } from './robunfr/value-text.ts';
import { workflowTable, workflowTimesTable } from './robunfr/workflow-table.ts';
import { robunfrMethod } from './robunfr-section.ts';

const valueHeads = [
  'Model',
  'workflow',
  'requirement',
  'measure',
  'AVG',
  'interval',
  'STDEV',
  'interval',
  'change',
  'interval',
  'ratio of times',
  'tasks',
  'n',
  'excluded',
];
const verdictHeads = [
  'Requirement',
  'measure',
  'old',
  'new',
  'change',
  'difference',
  'new / old, task by task',
  'p (Holm)',
  'p (Welch)',
  'could have seen',
  'verdict',
];

/** Empty where no run has such a study. */
export function robunfrMarkdown(
  report: RobunfrReport,
  tableText: TableText,
  escaped: (text: string) => string,
  severalRuns: boolean,
): string {
  if (report.summaries.length === 0) return '';
  const studies = Map.groupBy(report.summaries, ({ run, study }) => JSON.stringify([run, study]));
  const pairs = Map.groupBy(report.regressions, ({ run, study, old, now }) => JSON.stringify([run, study, old, now]));
  const part = (title: string, tables: readonly DataTable[], note = ''): string => {
    const texts = tables.map((table) => dataTableText(table, tableText, escaped)).filter((text) => text !== '');
    return texts.length === 0 ? '' : [`## ${escaped(title)}`, ...(note === '' ? [] : [escaped(note)]), ...texts].join('\n\n');
  };
  const runName = (run: string): string => (severalRuns ? `, run ${run}` : '');
  const updateTitle = ({ run, old, now }: UpdateSummary): string => `${old} to ${now}${runName(run)}`;
  return [
    ...[...studies.values()].flatMap((rows) => {
      const { run, study } = rows[0] as NfrRow;
      const averages = report.workflows.filter((row) => row.run === run && row.study === study);
      const tables = [workflowTable(averages), workflowTimesTable(averages)].filter((table) => table !== null);
      return [studyText(rows, tableText, escaped), ...tables.map((table) => dataTableText(table, tableText, escaped))];
    }),
    ...[...pairs.values()].map((rows) => pairText(rows, tableText, escaped)),
    ...report.updates.map((update) => part(updateTitle(update), updateTables(update))),
    ...(report.history.length === 0 ? [] : [historyText(report, tableText)]),
    part('What fails with a requirement', [failureTable(report.failures, severalRuns)], brokenNote),
    part('Beside the paper', publishedTables(report), publishedNote),
    '## How to read requirements',
    ...robunfrMethod.map(escaped),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

const brokenNote = 'The HTML report has every broken task with both programs side by side.';

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
        valueText(row, row.mean?.value),
        rangeText(row, row.mean),
        valueText(row, row.stdev),
        rangeText(row, row.spread),
        row.dimension === 'function-only' ? missing : percentText(row.deltaPercent?.value),
        row.dimension === 'function-only' ? missing : percentRange(row.deltaPercent),
        ratioText(row.ratio),
        String(row.nTasks ?? missing),
        String(row.n),
        String(row.nExcluded),
      ]),
    ),
  ].join('\n\n');
}

function pairText(rows: readonly RegressionRow[], tableText: TableText, escaped: (text: string) => string): string {
  const [first] = rows as readonly [RegressionRow];
  return [
    `## Study ${escaped(first.study)}: ${escaped(first.old)} to ${escaped(first.now)}${first.simulated ? ' (simulated)' : ''}`,
    tableText(
      verdictHeads,
      rows
        .filter(({ difference }) => difference !== null)
        .map((row) => [
          row.dimension,
          measureName(row),
          `${valueWithRange(row, row.oldMean, row.oldRange)} ± ${valueText(row, row.oldStdev)}`,
          valueWithRange(row, row.newMean, row.newRange),
          percentWithRange(row.deltaPercent, row.deltaRange),
          rangeText(row, row.difference),
          ratioText(row.ratio),
          row.pAdjusted === null ? missing : row.pAdjusted.toPrecision(2),
          row.welchP === null ? missing : row.welchP.toPrecision(2),
          valueText(row, row.smallestEffect),
          row.verdict.replace('_', ' '),
        ]),
    ),
  ].join('\n\n');
}

const historyText = ({ history }: RobunfrReport, tableText: TableText): string =>
  [
    '## Verdicts over runs',
    tableText(
      ['Run', 'before', 'study', 'model', 'requirement', 'measure', 'old', 'new', 'new / old', 'verdict'],
      history.map((step) => [
        step.run,
        step.before,
        step.study,
        step.model,
        step.dimension,
        measureName(step),
        valueText(step, step.oldMean),
        valueText(step, step.newMean),
        ratioText(step.ratio),
        step.verdict.replace('_', ' '),
      ]),
    ),
  ].join('\n\n');
