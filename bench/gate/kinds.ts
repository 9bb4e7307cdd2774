/**
 * Simulated gates over metrics other than paired binaries: several answers per task, loops, areas, densities, times and
 * levels of detail.
 */
import { estimateOf, type GateEstimate, type GateQuestion, type TaskValue } from '../../domain/gate/estimate.ts';
import { evaluateGate, type GateOutcome } from '../../domain/gate/evaluate.ts';
import type { GateMetricName } from '../../domain/gate/metrics.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import { knownCurve, sufficientDetail } from '../../studies/specificity/results/more-detail.ts';
import type { TaskPair } from '../../domain/metrics/phrasing-values.ts';
import { logTimes, type TaskContribution } from '../../domain/metrics/task-contributions.ts';
import { solutionValues, type TaskRange } from '../../domain/metrics/task-range.ts';
import { uniform } from '../../domain/random.ts';
import { normalQuantile } from '../../domain/statistics/special.ts';

export interface KindCell {
  /** The metric and its margin. */
  readonly kind: string;
  readonly name: string;
  readonly n: number;
  /** In the metric's unit, or in percent. */
  readonly loss: number;
  /** Whether the new model is truly worse than the margin allows. */
  readonly worse: boolean;
  judge(seed: number): GateOutcome;
}

type Random = () => number;
type Estimate = (question: GateQuestion) => GateEstimate;

interface Kind {
  readonly metric: GateMetricName;
  readonly name: string;
  /** The margin of the rule, in the metric's unit or in percent. */
  readonly rule: { readonly margin?: number; readonly marginPercent?: number };
  /** True losses: one within the margin, one beyond it. */
  readonly losses: readonly [within: number, beyond: number];
  draw(random: Random, n: number, loss: number): Estimate;
}

const normal = (random: Random): number => normalQuantile(Math.min(1 - 1e-12, Math.max(1e-12, random())));
const named = (values: readonly TaskContribution[]): TaskValue[] =>
  values.map(({ task, old, now }) => ({ taskId: String(task), old, now }));
const ofValues = (values: readonly TaskContribution[], range: TaskRange): Estimate => {
  const tasks = named(values);
  return (question) => estimateOf({ tasks, range, names: false }, question);
};
const tasksOf = <T>(n: number, task: (index: number) => T): T[] => Array.from({ length: n }, (_, index) => task(index));

/** Difficulty differs from task to task: half of the tasks nearly always pass, the others pass or fail by chance. */
const ability = (random: Random): number => (random() < 0.5 ? 0.95 : 0.2 + 0.6 * random());
const meanAbility = 0.5 * 0.95 + 0.5 * 0.5;

/** Three answers per task; the loss is the same share of every task's ability. */
function drawRepetitions(random: Random, n: number, loss: number): Estimate {
  const pairs = tasksOf(n, (): TaskPair => {
    const p = ability(random);
    const answers = (chance: number) => tasksOf(3, () => ({ numerator: Number(random() < chance), denominator: 1 }));
    return { old: answers(p), now: answers(p * (1 - loss / 100 / meanAbility)) };
  });
  const { values, range } = solutionValues('pass_at_1', pairs);
  return ofValues(values, range);
}

const loops = 10;
/** Loops that all pass with the same probability; the loss is a share of tasks that no longer pass at all. */
function drawLoops(random: Random, n: number, loss: number): Estimate {
  const sustained = (): number => {
    let count = 0;
    while (count < loops && random() < 0.85) count += 1;
    return count ** 2 / loops;
  };
  const values = tasksOf(n, (task) => ({ task, old: sustained(), now: random() < loss / meanLoops ? 0 : sustained() }));
  return ofValues(values, { kind: 'bounded', lo: 0, hi: loops });
}
/** E(count^2) / 10 for that probability: sum over k of (2 k - 1) 0.85^k. */
const meanLoops = tasksOf(loops, (k) => (2 * k + 1) * 0.85 ** (k + 1)).reduce((sum, part) => sum + part, 0) / loops;

/** Most tasks are stable; the loss is a share of tasks that are not at all. */
function drawAreas(random: Random, n: number, loss: number): Estimate {
  const steady = (): number => 1 - 0.1 * random();
  const values = tasksOf(n, (task) => ({ task, old: steady(), now: random() < loss / 0.95 ? 0 : steady() }));
  return ofValues(values, { kind: 'bounded', lo: 0, hi: 1 });
}

const messagesALine = 0.06;
/**
 * Messages at a rate per line that varies between tasks, lines from a log-normal; most solutions have none. The loss is
 * in messages per 10 lines.
 */
function drawDensities(random: Random, n: number, loss: number): Estimate {
  const messages = (lines: number, rate: number): number =>
    tasksOf(lines, () => Number(random() < rate)).reduce((sum, one) => sum + one, 0);
  const pairs = tasksOf(n, (): TaskPair => {
    const lines = Math.max(2, Math.round(Math.exp(2.5 + 0.6 * normal(random))));
    // All messages are in a fifth of the tasks.
    const share = random() < 0.2 ? 5 : 0;
    const solution = (rate: number) => ({ numerator: messages(lines, share * rate), denominator: lines });
    return { old: [solution(messagesALine)], now: [solution(messagesALine + loss / 10)] };
  });
  const { values, range } = solutionValues('code_smell', pairs);
  return ofValues(values, range);
}

/**
 * Times vary by a tenth from run to run; the loss, in percent of the geometric mean, comes from one task in twenty that
 * becomes many times slower.
 */
function drawTimes(random: Random, n: number, loss: number): Estimate {
  const slowed = Math.log1p(loss / 100) / slowShare;
  const pairs = tasksOf(n, (): TaskPair => {
    const base = Math.exp(2 * normal(random));
    const time = (log: number) => [{ numerator: base * Math.exp(log + 0.1 * normal(random)), denominator: 1 }];
    return { old: time(0), now: time(random() < slowShare ? slowed : 0) };
  });
  return ofValues(logTimes(pairs), { kind: 'logTime' });
}
const slowShare = 0.05;

/** A curve of seven levels that rises up to the fourth, with the new model `loss` levels later. */
function drawDetail(random: Random, n: number, loss: number): Estimate {
  const tasks = tasksOf(n, () => random());
  const curve = (from: number) =>
    tasksOf(7, (level) => tasks.map((task) => Number(task < 0.8 - 0.15 * Math.max(0, from - level))));
  const [old, now] = [knownCurve(curve(3)), knownCurve(curve(3 + loss))] as const;
  return ({ level }) => sufficientDetail(old, now, 0.05, level);
}

const kinds: readonly Kind[] = [
  {
    metric: 'pass_at_1',
    name: 'pass@1, 3 answers a task, margin 5',
    rule: { margin: 5 },
    losses: [0, 6],
    draw: drawRepetitions,
  },
  // 5 % of 72.5 points.
  {
    metric: 'pass_at_1',
    name: 'pass@1, 3 answers a task, 5 % of the old value',
    rule: { marginPercent: 5 },
    losses: [0, 4],
    draw: drawRepetitions,
  },
  { metric: 'asl_unweighted', name: 'ASL, margin 0.5', rule: { margin: 0.5 }, losses: [0, 0.6], draw: drawLoops },
  {
    metric: 'auc_e_normalized',
    name: 'AUC-E, margin 0.05',
    rule: { margin: 0.05 },
    losses: [0, 0.06],
    draw: drawAreas,
  },
  {
    metric: 'code_smell',
    name: 'code smell per 10 lines, margin 0.3',
    rule: { margin: 0.3 },
    losses: [0, 0.35],
    draw: drawDensities,
  },
  { metric: 'cpu_ratio', name: 'time as ratios, margin 10 %', rule: { margin: 10 }, losses: [0, 11], draw: drawTimes },
  {
    metric: 'sufficient_detail',
    name: 'sufficient detail, margin 1 level',
    rule: { margin: 1 },
    losses: [0, 2],
    draw: drawDetail,
  },
];

const sizes = [4, 20, 60, 164];

export const kindCells: readonly KindCell[] = kinds.flatMap((kind) =>
  sizes.flatMap((n) => kind.losses.map((loss, index) => cellOf(kind, n, loss, index === 1))),
);

function cellOf({ metric, name, rule, draw }: Kind, n: number, loss: number, worse: boolean): KindCell {
  const policy = gatePolicySchema.parse({ rules: [{ metric, ...rule }] });
  const subject = { metric, benchmark: 'simulated', suite: null, dimension: 'simulated', workflow: 'simulated' };
  const judge = (seed: number): GateOutcome => {
    const estimate = draw(uniform(seed), n, loss);
    return evaluateGate(policy, [subject], (_subject, _level, question) => estimate(question)).outcome;
  };
  return { kind: name, name: `${name}, ${loss === 0 ? 'nothing' : loss} lost`, n, loss, worse, judge };
}
