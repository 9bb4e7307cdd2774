/** Two equal runs measure different times, but columns and rows declared stable are still equal. */
import { expect, test } from 'vitest';
import type { Solution } from '../../../domain/metrics/nfr-solutions.ts';
import { nfrSummaryRows } from '../../../studies/robunfr/results/rows/summary-rows.ts';
import { nfrWorkflowRows } from '../../../studies/robunfr/results/rows/workflow-rows.ts';
import { regressionRows } from '../../../studies/robunfr/results/rows/regression-rows.ts';
import { collectWorkflowTimes } from '../../../studies/robunfr/results/rows/workflow-times.ts';
import { solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import { uniform } from '../../../domain/random.ts';
import { type Row, type Table, tables } from '../../../schemas/tables.ts';

const key = { run: 'r', study: 's', benchmark: 'b', language: 'python' };
const margins = Object.fromEntries(Object.keys(solutionMetrics).map((name) => [name, 1])) as Record<
  keyof typeof solutionMetrics,
  number
>;
const missing = () => 'not measured';

/** The same programs each time, with different times. */
function solutions(fails: number, random: () => number): Solution[] {
  const places = [
    ['function-only', 'original'],
    ['guard', 'guard-01'],
    ['guard', 'guard-02'],
  ] as const;
  return Array.from({ length: 12 }, (_, task) =>
    places.flatMap(([dimension, variant]) =>
      (dimension === 'guard' ? ['nfr-integrated', 'nfr-enhanced'] : ['function-only']).map(
        (setting): Solution => ({
          ...{
            taskId: `T/${task}`,
            setting,
            dimension,
            variant,
            repetition: 0,
            phrasing: dimension === 'guard' ? variant : null,
          },
          outcomes: new Map([['base', task < fails ? 'wrong_output' : 'pass']]),
          quality: { codeSmells: task % 3, unreadability: task % 2, exceptionHandling: 1, loc: 10 },
          timing: { wallMs: 5 + 40 * random(), cpuMs: 5 + 40 * random(), passed: task >= fails },
          simulated: false,
        }),
      ),
    ),
  ).flat();
}

function derived(seed: number): Readonly<Record<string, readonly Row[]>> {
  const random = uniform(seed);
  const [old, now] = [solutions(2, random), solutions(9, random)];
  const settings = { ceiling: () => null, missing };
  const summary = nfrSummaryRows({ ...key, model: 'm' }, old, settings);
  const times = collectWorkflowTimes();
  times.add(old);
  return {
    nfr_summary: summary.nfr_summary,
    nfr_phrasings: summary.nfr_phrasings,
    nfr_workflows: nfrWorkflowRows(
      summary.behind.map((one, index) => ({ ...one, row: summary.nfr_summary[index] ?? {} })),
      times.tests(),
    ),
    regression: regressionRows(
      { ...key, old_model: 'a', model: 'b' },
      { old, now },
      { seed: 1, alpha: 0.05, margins, missing },
    ),
  };
}

const times = Object.entries(solutionMetrics).flatMap(([name, { unit }]) => (unit === 'ms' ? [name] : []));

/** As the schema declares; the words in `where` are the metrics that are times. */
function stable({ columns, volatileRows }: Table, rows: readonly Row[]): unknown[] {
  const isVolatile = (row: Row): boolean => volatileRows?.where.includes(`'${row['metric']}'`) ?? false;
  const kept = Object.entries(columns).flatMap(([name, column]) => (column.volatile === undefined ? [name] : []));
  return rows.filter((row) => !isVolatile(row)).map((row) => kept.map((name) => row[name] ?? null));
}

test.each(['nfr_summary', 'nfr_phrasings', 'nfr_workflows', 'regression'] as const)('%s', (name) => {
  const table: Table = tables[name];
  const [monday, tuesday] = [derived(1)[name] ?? [], derived(99)[name] ?? []];
  expect(monday).not.toEqual(tuesday);
  expect(stable(table, monday)).toEqual(stable(table, tuesday));
  expect(stable(table, monday).length).toBeGreaterThan(0);
  for (const time of times) expect(table.volatileRows?.where).toContain(`'${time}'`);
});
