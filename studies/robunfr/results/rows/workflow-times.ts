/**
 * RQ3's test of time: compares the two workflows of a requirement by the tasks' mean times over phrasings, and over the
 * models that were timed in both.
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
/** Times of the solutions that have one, by task, metric and place of the model. */
type TaskTimes = Map<string, Map<Metric, Map<number, number[]>>>;

const metrics = Object.entries(solutionMetrics).flatMap(([metric, { unit }]) =>
  unit === 'ms' ? [metric as Metric] : [],
);

export function collectWorkflowTimes(): WorkflowTimes {
  const requirements = new Map<string, { readonly integrated: TaskTimes; readonly enhanced: TaskTimes }>();
  let models = 0;
  return {
    add(solutions) {
      models += 1;
      for (const solution of solutions) {
        const { dimension, setting } = solution;
        if (dimension === 'function-only') continue;
        const times = requirements.get(dimension) ?? { integrated: new Map(), enhanced: new Map() };
        requirements.set(dimension, times);
        if (setting === 'nfr-integrated') addTimes(times.integrated, solution, models);
        if (setting === 'nfr-enhanced') addTimes(times.enhanced, solution, models);
      }
    },
    tests: () =>
      [...requirements].flatMap(([dimension, { integrated, enhanced }]) =>
        integrated.size === 0 || enhanced.size === 0
          ? []
          : metrics.map((metric) => ({
              dimension,
              metric,
              ...testOf(changes(integrated, enhanced, metric)),
              ...logTest(changes(integrated, enhanced, metric, Math.log), metric),
            })),
      ),
  };
}

function addTimes(tasks: TaskTimes, solution: Solution, model: number): void {
  const own = tasks.get(solution.taskId) ?? new Map<Metric, Map<number, number[]>>();
  tasks.set(solution.taskId, own);
  for (const metric of metrics) {
    const time = partOf(solution, { metric, suite: null })?.numerator;
    if (time === undefined) continue;
    const ofMetric = own.get(metric) ?? new Map<number, number[]>();
    own.set(metric, ofMetric);
    ofMetric.set(model, [...(ofMetric.get(model) ?? []), time]);
  }
}

function testOf(differences: readonly number[]): Pick<WorkflowTest, 'p' | 'n'> {
  return { p: pairedTTest(differences)?.p ?? null, n: differences.length };
}

const logTest = (logs: readonly number[], metric: Metric): Pick<WorkflowTest, 'logs' | 'pLogs'> => ({
  logs,
  pLogs: signFlipTest(logs, { seed: seedOf('workflow times', metric) }).p,
});

/**
 * The second workflow minus the first, task by task: means over the models with a time in both, each a mean over its
 * times. Excludes tasks without such a model. @param of transforms times before averaging
 */
function changes(
  integrated: TaskTimes,
  enhanced: TaskTimes,
  metric: Metric,
  of = (time: number): number => time,
): number[] {
  return [...integrated].flatMap(([task, own]) => {
    const [first, second] = [own, enhanced.get(task)].map((times) => modelMeans(times?.get(metric), of));
    const both = [...(first?.keys() ?? [])].filter((model) => second?.has(model));
    const meanOf = (means: ReadonlyMap<number, number> | undefined) =>
      mean(both.map((model) => means?.get(model) ?? 0));
    const [before, after] = [meanOf(first), meanOf(second)];
    return before === null || after === null ? [] : [difference(after, before)];
  });
}

function modelMeans(times: ReadonlyMap<number, readonly number[]> | undefined, of: (time: number) => number) {
  const means = [...(times ?? [])].flatMap(([model, own]): [number, number][] => {
    const value = mean(own.map(of).filter(Number.isFinite));
    return value === null ? [] : [[model, value]];
  });
  return new Map(means);
}
