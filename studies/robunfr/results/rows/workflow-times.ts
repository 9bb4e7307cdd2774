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

export interface WorkflowTimes {
  /** Adds the solutions of a model. Only their times are kept. */
  add(solutions: readonly Solution[]): void;
  /** One test per time metric and requirement that both workflows have. */
  tests(): WorkflowTest[];
}

type Metric = Measure['metric'];
/** Times of the solutions that have one, by task and metric. */
type TaskTimes = Map<string, Map<Metric, number[]>>;

const metrics = Object.entries(solutionMetrics).flatMap(([metric, { unit }]) =>
  unit === 'ms' ? [metric as Metric] : [],
);

export function collectWorkflowTimes(): WorkflowTimes {
  const requirements = new Map<string, { readonly integrated: TaskTimes; readonly enhanced: TaskTimes }>();
  return {
    add(solutions) {
      for (const solution of solutions) {
        const { dimension, setting } = solution;
        if (dimension === 'function-only') continue;
        const times = requirements.get(dimension) ?? { integrated: new Map(), enhanced: new Map() };
        requirements.set(dimension, times);
        if (setting === 'nfr-integrated') addTimes(times.integrated, solution);
        if (setting === 'nfr-enhanced') addTimes(times.enhanced, solution);
      }
    },
    tests: () =>
      [...requirements].flatMap(([dimension, { integrated, enhanced }]) =>
        integrated.size === 0 || enhanced.size === 0
          ? []
          : metrics.map((metric) => ({
              dimension,
              metric,
              ...testOf(taskMeans(integrated, metric), taskMeans(enhanced, metric)),
              ...logTest(integrated, enhanced, metric),
            })),
      ),
  };
}

function addTimes(tasks: TaskTimes, solution: Solution): void {
  const own = tasks.get(solution.taskId) ?? new Map<Metric, number[]>(metrics.map((metric) => [metric, []]));
  tasks.set(solution.taskId, own);
  for (const metric of metrics) {
    const time = partOf(solution, { metric, suite: null })?.numerator;
    if (time !== undefined) own.get(metric)?.push(time);
  }
}

function testOf(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Pick<WorkflowTest, 'p' | 'n'> {
  const differences = [...one].flatMap(([task, value]) => {
    const beside = other.get(task);
    return beside === undefined ? [] : [difference(beside, value)];
  });
  return { p: pairedTTest(differences)?.p ?? null, n: differences.length };
}

function logTest(integrated: TaskTimes, enhanced: TaskTimes, metric: Metric): Pick<WorkflowTest, 'logs' | 'pLogs'> {
  const second = taskMeans(enhanced, metric, Math.log);
  const logs = [...taskMeans(integrated, metric, Math.log)].flatMap(([task, log]) => {
    const other = second.get(task);
    return other === undefined ? [] : [difference(other, log)];
  });
  return { logs, pLogs: signFlipTest(logs, { seed: seedOf('workflow times', metric) }).p };
}

/** Excludes tasks without a time. @param of transforms times before averaging */
function taskMeans(tasks: TaskTimes, metric: Metric, of = (time: number): number => time): Map<string, number> {
  const means = [...tasks].flatMap(([task, own]) => {
    const value = mean((own.get(metric) ?? []).map(of).filter(Number.isFinite));
    return value === null ? [] : [[task, value] as const];
  });
  return new Map(means);
}
