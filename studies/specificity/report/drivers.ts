/** Results of programs with a driver (ParEval): outcomes, pragmas, speed-up. */
import { count, number } from '../../../analysis/report/cells.ts';
import { countText, decimals, missing } from '../../../analysis/report/format.ts';
import { type DataTable, note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { SpecificityStudyReport } from './data.ts';
import { factCell } from './row-cells.ts';

type DriverResults = Pick<SpecificityStudyReport, 'run' | 'drivers'>;

/** Outcomes that mean the same to a reader share a column. */
const outcomeColumns = [
  ['pass', ['pass']],
  ['wrong output', ['wrong_output']],
  ['not built', ['compile_error', 'build_timeout']],
  ['hung', ['cpu_timeout', 'wall_timeout']],
  ['flaky', ['flaky']],
  ['crashed, ended early', ['exception', 'early_exit', 'killed', 'memory', 'output_limit']],
  ['no code', ['no_code']],
] as const;

const about =
  'Number of answers by outcome. Flaky: runs with the same thread count disagree, as with a race condition. Programs ' +
  'run in the same process as their tests (lane assert), so a program could forge a pass.';

/** Empty if no program of the study was run with a driver. */
export function driversPart(study: DriverResults, context: ReportContext): Section {
  const { outcomes, speedups } = study.drivers;
  const none = outcomes.length === 0 && speedups.length === 0;
  return section(
    'Programs with a driver',
    none ? [] : [note(about), outcomesTable(study, context), speedupTable(study, context)],
  );
}

function outcomesTable({ run, drivers }: DriverResults, context: ReportContext): DataTable {
  const { outcomes, pragmas } = drivers;
  return {
    words: 1,
    heads: ['Model', ...outcomeColumns.map(([name]) => name), 'no OpenMP pragma'],
    rows: [...Map.groupBy(outcomes, (row) => textOf(row, 'model'))].map(([model, own]) => [
      context.model(run, model),
      ...outcomeColumns.map(([, names]) => count(sumOf(own, names))),
      pragmaText(pragmas.find((row) => row['model'] === model)),
    ]),
  };
}

const sumOf = (rows: readonly Row[], names: readonly string[]): number =>
  rows.filter((row) => names.includes(textOf(row, 'outcome'))).reduce((sum, row) => sum + numberOf(row, 'n'), 0);

function pragmaText(row: Row | undefined): string {
  const asked = row === undefined ? 0 : numberOf(row, 'asked');
  return asked === 0 ? missing : `${countText(numberOrNull(row ?? {}, 'without') ?? 0)} of ${countText(asked)}`;
}

function speedupTable({ run, drivers: { speedups } }: DriverResults, context: ReportContext): DataTable {
  const disturbed = speedups.some((row) => row['alone'] === false);
  return {
    note:
      'Speed-up over the driver’s sequential code, for runs that passed: median and quartiles over programs, each ' +
      'with the mean of its ' +
      `repeats.${disturbed ? ' Other programs ran at the same time: do not rely on these times.' : ''}`,
    words: 2,
    heads: ['Model', 'Kind', 'Threads', 'Programs', 'Speed-up'],
    rows: speedups.map((row) => [
      context.model(run, textOf(row, 'model')),
      row['parallelism'] === 'omp' ? 'OpenMP' : 'serial',
      factCell(row, 'threads'),
      count(numberOf(row, 'programs')),
      {
        ...number(numberOrNull(row, 'median'), 2),
        under: [`${quartile(row, 'low')} – ${quartile(row, 'high')}`],
      },
    ]),
  };
}

function quartile(row: Row, column: string): string {
  const value = numberOrNull(row, column);
  return value === null ? missing : decimals(value, 2);
}
