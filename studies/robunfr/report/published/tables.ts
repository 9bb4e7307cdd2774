/** The paper's tables 2 to 6 with a report's own lines inserted; column `Source` tells them apart. */
import published from '../../../../data/published/robunfr.json' with { type: 'json' };
import { type DataCell, type DataTable, note, type Section, section } from '../../../../analysis/report/part.ts';
import { missing } from '../../../../analysis/report/format.ts';
import type { RobunfrReport } from '../data.ts';
import { ownCells } from './own-lines.ts';
import { percentText } from '../value-text.ts';
import { type PlacedCell, printedCells, type PublishedTable, type TableCell } from './printed-lines.ts';

interface Column {
  readonly head: string;
  readonly benchmark: string;
  readonly metric: string;
}

const suites = ['HumanEval', 'HumanEval-ET', 'MBPP', 'MBPP-ET'].map((benchmark) => ({
  head: benchmark,
  benchmark,
  metric: 'pass_at_1',
}));
const measures = [
  { head: 'code smell', metric: 'code_smell' },
  { head: 'unreadability', metric: 'unreadability' },
  { head: 'exception handling', metric: 'exception_handling' },
  { head: 'time, ms', metric: 'execution_time_ms' },
];
const passes = [
  { head: 'pass@1', metric: 'pass_at_1' },
  { head: 'ET pass@1', metric: 'et_pass_at_1' },
];

interface Layout {
  readonly table: PublishedTable;
  readonly about: string;
  /** Head of the column that names the lines. */
  readonly who: string;
  readonly columns: readonly Column[];
}

const onBenchmarks = (layout: Omit<Layout, 'columns'>, columns: readonly Omit<Column, 'benchmark'>[]): Layout[] =>
  ['HumanEval', 'MBPP'].map((benchmark) => ({
    ...layout,
    about: `${layout.about}, ${benchmark}`,
    columns: columns.map((column) => ({ ...column, benchmark })),
  }));

const layouts: readonly Layout[] = [
  { table: 2, about: 'pass@1, percent', who: 'Model', columns: suites },
  ...onBenchmarks({ table: 3, about: 'quality and time', who: 'Model' }, measures),
  ...onBenchmarks({ table: 4, about: 'old version, and the change of the new one', who: 'Versions' }, [
    ...passes,
    ...measures,
  ]),
  { table: 5, about: 'pass@1 by workflow, averages over models, percent', who: 'Workflow', columns: suites },
  ...onBenchmarks({ table: 6, about: 'quality and time by workflow, averages over models', who: 'Workflow' }, measures),
];

/** @param ownOnly whether to omit tables without lines of the report */
export function publishedTables(report: RobunfrReport, ownOnly = false): DataTable[] {
  const own = ownCells(report);
  return layouts.flatMap((layout) => {
    const lines = linesOf(layout, own, 'this report');
    if (ownOnly && lines.length === 0) return [];
    const all = [...linesOf(layout, printedCells, 'paper'), ...lines].toSorted((a, b) => rankOf(a) - rankOf(b));
    return [
      {
        title: `Table ${layout.table}: ${layout.about}${lines.length === 0 ? ' (paper only)' : ''}`,
        n: 'As printed; of this report: n is that of the line among all values',
        words: 3,
        heads: ['Source', 'Requirement', layout.who, ...layout.columns.flatMap(({ head }) => [head, 'change'])],
        rows: all.map((line) => [line.source, line.dimension, line.who, ...line.cells.flatMap(cellsOf)]),
        own: all.flatMap(({ source }, index) => (source === 'this report' ? [index] : [])),
        folded: true,
      },
    ];
  });
}

interface Line {
  readonly source: string;
  readonly dimension: string;
  readonly who: string;
  readonly cells: readonly (TableCell | null)[];
}

function linesOf({ table, columns }: Layout, cells: readonly PlacedCell[], source: string): Line[] {
  const here = cells.filter(
    (cell) =>
      cell.table === table &&
      columns.some(({ benchmark, metric }) => cell.benchmark === benchmark && cell.metric === metric),
  );
  return [...Map.groupBy(here, ({ dimension, who }) => JSON.stringify([dimension, who])).values()].flatMap((line) => {
    const [first] = line;
    if (first === undefined) return [];
    const at = ({ benchmark, metric }: Column): TableCell | null =>
      line.find((cell) => cell.benchmark === benchmark && cell.metric === metric)?.cell ?? null;
    return [{ source, dimension: first.dimension, who: first.who, cells: columns.map(at) }];
  });
}

const dimensions = [...new Set(published.table2.map(({ dimension }) => dimension))];
/** The paper's requirements in its order, then all others. */
const rankOf = ({ dimension }: Line): number =>
  dimensions.includes(dimension) ? dimensions.indexOf(dimension) : dimensions.length;

function cellsOf(cell: TableCell | null): DataCell[] {
  if (cell === null) return [none, none];
  const spread = cell.stdev === null ? '' : ` ± ${cell.stdev.toFixed(2)}`;
  const { deltaPercent } = cell;
  return [
    { text: `${cell.value.toFixed(2)}${spread}${cell.slip ? '*' : ''}`, value: cell.value },
    deltaPercent === null ? none : { text: percentText(deltaPercent), value: deltaPercent },
  ];
}

const none: DataCell = { text: missing, value: null };

const versions = published.versions
  .map(
    ({ model, old, new: now, same_model }) =>
      `${model}, ${old} to ${now}${same_model ? '' : ' (two different models)'}`,
  )
  .join('; ');

const about =
  'RobuNFR (Lin et al., 2025), tables 2 to 6 as printed. AVG ± STDEV over the phrasings; changes are in percent of ' +
  'Function-Only, in table 4 of the old version. *: a known error in the paper. Lines of this report are from its ' +
  'studies on HumanEval and MBPP; their time is the mean wall time of all solutions, without process start. ' +
  `Versions in the paper’s table 4: ${versions}.`;

export const publishedPart = (report: RobunfrReport): Section =>
  section('Comparison with the paper', [note(about), ...publishedTables(report)]);
