/**
 * RQ3's test of time: compares the two workflows of a requirement by the tasks' mean times over models and phrasings.
 */
import { seedOf } from '../../../../domain/random.ts';
import { pairedTTest } from '../../../../domain/statistics/tests/paired-t.ts';
import { difference } from '../../../../domain/statistics/rounding.ts';
import { signFlipTest } from '../../../../domain/statistics/tests/sign-flip.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import { type Measure, partOf, type Solution } from '../../../../domain/metrics/nfr-solutions.ts';
import { solutionMetrics } from '../../../../domain/metrics/solution-metrics.ts';

export interface WorkflowTest {
  readonly dimension: string;
  readonly metric: string;
  /** Null if no test was possible. */
  readonly p: number | null;
  /** Number of tasks timed in both. */
  readonly n: number;
  /**
   * For each of these tasks, the logarithm of its time in the second workflow over that in the first, from means of the
   * logarithms of its solutions' times.
   */
  readonly logs: readonly number[];
  /** p of the sign-flip test of these logarithms; null without a task. */
  readonly pLogs: number | null;
}

/** One test per time metric and requirement that both workflows have. */
export function workflowTests(solutions: readonly Solution[]): WorkflowTest[] {
  const asked = solutions.filter(({ dimension }) => dimension !== 'function-only');
  const times = Object.entries(solutionMetrics).flatMap(([metric, { unit }]) =>
    unit === 'ms' ? [metric as Measure['metric']] : [],
  );
  return [...Map.groupBy(asked, ({ dimension }) => dimension)].flatMap(([dimension, own]) => {
    const integrated = own.filter(({ setting }) => setting === 'nfr-integrated');
    const enhanced = own.filter(({ setting }) => setting === 'nfr-enhanced');
    if (integrated.length === 0 || enhanced.length === 0) return [];
    return times.map((metric) => ({
      dimension,
      metric,
      ...testOf(taskMeans(integrated, metric), taskMeans(enhanced, metric)),
      ...logTest(integrated, enhanced, metric),
    }));
  });
}

function testOf(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Pick<WorkflowTest, 'p' | 'n'> {
  const differences = [...one].flatMap(([task, value]) => {
    const beside = other.get(task);
    return beside === undefined ? [] : [difference(beside, value)];
  });
  return { p: pairedTTest(differences)?.p ?? null, n: differences.length };
}

function logTest(
  integrated: readonly Solution[],
  enhanced: readonly Solution[],
  metric: Measure['metric'],
): Pick<WorkflowTest, 'logs' | 'pLogs'> {
  const [first, second] = [integrated, enhanced].map((own) => taskMeans(own, metric, Math.log)) as [
    Map<string, number>,
    Map<string, number>,
  ];
  const logs = [...first].flatMap(([task, log]) => {
    const other = second.get(task);
    return other === undefined ? [] : [difference(other, log)];
  });
  return { logs, pLogs: signFlipTest(logs, { seed: seedOf('workflow times', metric) }).p };
}

/** Excludes tasks without a time. @param of transforms times before averaging */
function taskMeans(
  solutions: readonly Solution[],
  metric: Measure['metric'],
  of = (time: number): number => time,
): Map<string, number> {
  const byTask = Map.groupBy(solutions, ({ taskId }) => taskId);
  const means = [...byTask].flatMap(([task, own]) => {
    const times = own.flatMap((solution) => partOf(solution, { metric, suite: null })?.numerator ?? []);
    const value = mean(times.map(of).filter(Number.isFinite));
    return value === null ? [] : [[task, value] as const];
  });
  return new Map(means);
}
