/**
 * The paper's tables against themselves: what can be recomputed from printed numbers is,
 * and what does not agree is named here.
 */
import { expect, test } from 'vitest';
import published from '../../../data/published/robunfr.json' with { type: 'json' };
import { deltaPercent } from '../../../domain/metrics/delta.ts';
import { mean } from '../../../domain/statistics/spread.ts';

const { table2, table3, table4, table5, table6 } = published;

/** A printed delta next to the one of the printed values. */
interface Recomputed {
  readonly cell: string;
  readonly printed: number;
  readonly recomputed: number;
  readonly value: number;
  readonly baseline: number;
}

function recomputed(
  cell: readonly string[],
  printed: number | null,
  value: number,
  baseline: number | undefined,
): Recomputed[] {
  if (printed === null || baseline === undefined) return [];
  return [{ cell: cell.join(' '), printed, recomputed: deltaPercent(value, baseline) ?? Number.NaN, value, baseline }];
}

const functionOnly = <T extends { readonly dimension: string }>(
  rows: readonly T[],
  matches: (row: T) => boolean,
): T | undefined => rows.find((row) => row.dimension === 'function-only' && matches(row));

const deltas2 = table2.flatMap(({ dimension, model, benchmark, pass_at_1, delta_percent }) => {
  const baseline = functionOnly(table2, (row) => row.model === model && row.benchmark === benchmark);
  return recomputed([dimension, model, benchmark], delta_percent, pass_at_1, baseline?.pass_at_1);
});
const deltas3 = table3.flatMap(({ dimension, model, benchmark, metric, value, delta_percent }) => {
  const baseline = functionOnly(
    table3,
    (row) => row.model === model && row.benchmark === benchmark && row.metric === metric,
  );
  return recomputed([dimension, model, benchmark, metric], delta_percent, value, baseline?.value);
});
const deltas5 = table5.flatMap(({ workflow, dimension, benchmark, pass_at_1, delta_percent }) => {
  const baseline = functionOnly(table5, (row) => row.benchmark === benchmark);
  return recomputed([workflow, dimension, benchmark], delta_percent, pass_at_1, baseline?.pass_at_1);
});
const deltas6 = table6.flatMap(({ workflow, dimension, benchmark, metric, value, delta_percent }) => {
  const baseline = functionOnly(table6, (row) => row.benchmark === benchmark && row.metric === metric);
  return recomputed([workflow, dimension, benchmark, metric], delta_percent, value, baseline?.value);
});

/** The new version's own value and STDEV, from table 2 or 3. */
function newRow(
  model: string,
  benchmark: string,
  dimension: string,
  metric: string,
): { readonly value: number; readonly stdev: number } {
  const name = published.versions.find((versions) => versions.model === model)?.new_in_tables_2_and_3;
  const suite = { pass_at_1: benchmark, et_pass_at_1: `${benchmark}-ET` }[metric];
  const pass = table2.find((row) => row.model === name && row.dimension === dimension && row.benchmark === suite);
  if (pass !== undefined) return { value: pass.pass_at_1, stdev: pass.stdev };
  const density = table3.find(
    (row) => row.model === name && row.dimension === dimension && row.benchmark === benchmark && row.metric === metric,
  );
  if (density === undefined) throw new Error(`tables 2 and 3 hold ${[model, benchmark, dimension, metric].join(' ')}`);
  return density;
}
const deltas4 = table4.flatMap(({ model, benchmark, dimension, metric, old, delta_percent }) =>
  recomputed(
    [model, benchmark, dimension, metric],
    delta_percent,
    newRow(model, benchmark, dimension, metric).value,
    old,
  ),
);

/** Off by more than one unit of the last place that is printed; a little more, since the numbers are decimal. */
const off = (deltas: readonly Recomputed[], unit: (delta: Recomputed) => number): string[] =>
  deltas.filter((delta) => !(Math.abs(delta.recomputed - delta.printed) <= unit(delta) + 1e-9)).map(({ cell }) => cell);

test('the tables have all cells: 5 dimensions, 4 models or 6 versions, their benchmarks and metrics', () => {
  expect([table2, table3, table4, table5, table6].map(({ length }) => length)).toEqual([80, 160, 180, 36, 72]);
  expect([deltas2, deltas3, deltas4, deltas5, deltas6].map(({ length }) => length)).toEqual([64, 128, 180, 32, 64]);
});

test('table 2: every delta comes out of the printed values but one, which is a known slip', () => {
  expect(off(deltas2, () => 0.01)).toEqual(['performance Claude-3.5-Haiku HumanEval']);
});

test('table 3: every delta comes out of the printed values but one sign, a known slip', () => {
  expect(off(deltas3, ({ cell }) => (cell.endsWith('_ms') ? 0.01 : 0.1))).toEqual([
    'reliability Claude-3.5-Haiku MBPP execution_time_ms',
  ]);
});

test('table 4: deltas are of the new value over the old one; seven cells are off by rounding, under 0.1', () => {
  expect(off(deltas4, () => 0.01)).toEqual([
    'GPT-3.5 HumanEval performance unreadability',
    'GPT-3.5 MBPP design unreadability',
    'Claude-3.5 HumanEval function-only unreadability',
    'Claude-3.5 HumanEval function-only execution_time_ms',
    'Claude-3.5 HumanEval readability execution_time_ms',
    'Claude-3.5 HumanEval performance execution_time_ms',
    'Claude-3.5 MBPP reliability exception_handling',
  ]);
  expect(off(deltas4, () => 0.1)).toEqual([]);
});

test("tables 5 and 6: every delta is one that averages with the printed values' digits can have", () => {
  const rounding = (places: number, printed: number) => (delta: Recomputed) => {
    const half = 0.5 * 10 ** -places;
    return (100 * half * (1 + Math.abs(delta.value / delta.baseline))) / (delta.baseline - half) + 0.5 * 10 ** -printed;
  };
  expect(off(deltas5, rounding(2, 2))).toEqual([]);
  const places = ({ cell }: Recomputed): number => (cell.endsWith('exception_handling') ? 3 : 2);
  expect(off(deltas6, (delta) => rounding(places(delta), delta.cell.endsWith('_ms') ? 2 : 1)(delta))).toEqual([]);
});

/** The printed numbers of the six versions, from table 4 (old) and tables 2 and 3 (new). */
function sixVersions(benchmark: string, dimension: string, metric: string, field: 'value' | 'stdev'): number[] {
  const rows = table4.filter(
    (row) => row.dimension === dimension && row.metric === metric && row.benchmark === benchmark,
  );
  return rows.flatMap((row) => {
    const now = newRow(row.model, benchmark, dimension, metric);
    return field === 'value' ? [row.old, now.value] : [row.stdev, now.stdev];
  });
}

test('table 6: averages and STDEVs are the means of those of the six versions', () => {
  const wrong = table6.filter(({ workflow, dimension, benchmark, metric, ...printed }) => {
    const unit = metric === 'exception_handling' ? 0.001 : 0.01;
    const apart = (field: 'value' | 'stdev') =>
      Math.abs((mean(sixVersions(benchmark, dimension, metric, field)) ?? Number.NaN) - printed[field]);
    return workflow !== 'nfr-enhanced' && !(apart('value') <= unit && apart('stdev') <= unit);
  });
  expect(wrong).toEqual([]);
});

test.each(['value', 'stdev'] as const)(
  'table 5: every %s is the mean of those of the six versions, but for the known slips',
  (field) => {
    const wrong = table5.filter(({ workflow, dimension, benchmark, pass_at_1, stdev }) => {
      const metric = benchmark.endsWith('-ET') ? 'et_pass_at_1' : 'pass_at_1';
      const six = sixVersions(benchmark.replace('-ET', ''), dimension, metric, field);
      const printed = field === 'value' ? pass_at_1 : stdev;
      return workflow !== 'nfr-enhanced' && !(Math.abs((mean(six) ?? Number.NaN) - printed) <= 0.01 + 1e-9);
    });
    // GPT-4o's reliability stands for Claude's in table 4, and table 5's average for Haiku's performance in table 2.
    expect(wrong.map(({ dimension, benchmark }) => `${dimension} ${benchmark}`)).toEqual([
      'reliability HumanEval',
      'reliability HumanEval-ET',
      'reliability MBPP',
      'reliability MBPP-ET',
      'performance HumanEval',
    ]);
  },
);

test('table 4’s Claude reliability is GPT-4o’s of table 2; with its own Claude the deltas are the slips', () => {
  const corrected = ['pass_at_1', 'et_pass_at_1'].flatMap((metric) =>
    ['HumanEval', 'MBPP'].map((benchmark) => {
      const at = metric === 'pass_at_1' ? benchmark : `${benchmark}-ET`;
      const of = (model: string): number =>
        table2.find((row) => row.model === model && row.dimension === 'reliability' && row.benchmark === at)
          ?.pass_at_1 ?? Number.NaN;
      const printed = table4.find(
        (row) =>
          row.model === 'Claude-3.5' &&
          row.dimension === 'reliability' &&
          row.metric === metric &&
          row.benchmark === benchmark,
      );
      expect(printed?.old).toBe(of('GPT-4o'));
      return deltaPercent(of('Claude-3.5-Haiku'), of('Claude-3.5-Sonnet'));
    }),
  );
  for (const [index, delta] of [-10.73, -31.55, -11.29, -31.52].entries())
    expect(corrected[index]).toBeCloseTo(delta, 2);
});

test('the aggregates of the text come out of the tables', () => {
  const { aggregates } = published;
  const stdevs = (functionOnlyRows: boolean) =>
    mean(
      table2.filter(({ dimension }) => (dimension === 'function-only') === functionOnlyRows).map(({ stdev }) => stdev),
    );
  expect(stdevs(true)).toBeCloseTo(aggregates.mean_stdev_function_only, 2);
  expect(stdevs(false)).toBeCloseTo(aggregates.mean_stdev_nfr, 2);
  const meanDelta = (metric: string) =>
    mean(table3.flatMap((row) => (row.metric === metric && row.delta_percent !== null ? [row.delta_percent] : [])));
  expect(meanDelta('code_smell')).toBeCloseTo(aggregates.mean_code_smell_delta_percent, 2);
  expect(meanDelta('unreadability')).toBeCloseTo(aggregates.mean_unreadability_delta_percent, 2);
  const drop = (workflow: string, dimension: string): number =>
    -(
      mean(
        table5.flatMap((row) =>
          row.workflow === workflow && row.dimension === dimension ? [row.delta_percent ?? 0] : [],
        ),
      ) ?? 0
    );
  expect(drop('nfr-integrated', 'performance')).toBeCloseTo(aggregates.performance_drop_integrated, 2);
  expect(drop('nfr-enhanced', 'performance')).toBeCloseTo(aggregates.performance_drop_enhanced, 2);
  expect(drop('nfr-enhanced', 'design') - drop('nfr-integrated', 'design')).toBeCloseTo(aggregates.design_gap, 2);
});
