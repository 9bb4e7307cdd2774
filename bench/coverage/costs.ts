/**
 * Costs of two models per solved task: how often their intervals hold, how often a card shows a difference where there
 * is none, and where the second is three times as dear. Next to it the same with Student's t of the mean cost.
 */
import { estimateRanks } from '../../domain/card/estimate-ranks.ts';
import { costPerSolved } from '../../domain/metrics/cost-per-solved.ts';
import { boundedMeanInterval } from '../../domain/statistics/intervals/bounded-mean.ts';
import { ratioInterval } from '../../domain/statistics/intervals/ratio-of-means.ts';
import { pearsonR } from '../../domain/statistics/ranks/pearson.ts';
import { mean, standardDeviation } from '../../domain/statistics/spread.ts';
import { studentQuantile } from '../../domain/statistics/student.ts';
import type { Range } from './estimates.ts';
import { leastHeld, type Line, mostAlarms, noise, percent } from './line.ts';
import type { Random } from './random.ts';

interface Task {
  readonly cost: number;
  readonly solved: number;
}

/** A task under two models, whose costs per solved task are equal over very many tasks. */
interface CostKind {
  readonly pair: (random: Random) => readonly [Task, Task];
  /** Dear tasks that are rare, and more than ten times the mean: no rule is known that holds. Default: not so. */
  readonly isBeyond?: boolean;
}

export const costSizes = [2, 3, 4, 5, 10, 20, 60];

/** With a mean of 1. @param spread of the logarithm */
const skewed = (random: Random, spread: number): number => Math.exp(spread * random.normal() - spread ** 2 / 2);
const passed = (random: Random, chance: number): number => Number(random.uniform() < chance);
const solvedBoth = (cost: number, other: number): readonly [Task, Task] => [
  { cost, solved: 1 },
  { cost: other, solved: 1 },
];

/** Log-normal tokens of tasks and of answers; tasks differ in difficulty. */
const tokens =
  (spread: number, ability: number): CostKind['pair'] =>
  (random) => {
    const [task, chance] = [skewed(random, spread), random.beta(ability, 1.5)];
    const answer = (): Task => ({ cost: task * skewed(random, spread), solved: passed(random, chance) });
    return [answer(), answer()];
  };

/** A share of the tasks is `times` as dear, for both models. */
const dearForBoth =
  (share: number, times: number): CostKind['pair'] =>
  (random) => {
    const task = random.uniform() < share ? times : 1;
    return solvedBoth(task * skewed(random, 0.3), task * skewed(random, 0.3));
  };

/** The same for the first model alone; the second spends as much evenly. */
const dearForOne =
  (share: number, times: number): CostKind['pair'] =>
  (random) =>
    solvedBoth(
      (random.uniform() < share ? times : 1) * skewed(random, 0.3),
      (1 + share * (times - 1)) * skewed(random, 0.3),
    );

export const costKinds: Readonly<Record<string, CostKind>> = {
  'skewed, as tokens are': { pair: tokens(0.5, 0.7) },
  'very skewed': { pair: tokens(1, 0.95) },
  'very skewed, few solved': { pair: tokens(1, 0.3) },
  'nearly constant': { pair: (random) => solvedBoth(1 + 0.01 * random.normal(), 1 + 0.01 * random.normal()) },
  'very skewed against even': { pair: (random) => solvedBoth(skewed(random, 1.5), skewed(random, 0.3)) },
  'each task solved by one model only': {
    pair: (random) => {
      const first = passed(random, 0.5);
      const cost = (solved: number): number => (2 - solved) * skewed(random, 0.7);
      return [
        { cost: cost(first), solved: first },
        { cost: cost(1 - first), solved: 1 - first },
      ];
    },
  },
  'price and solved tasks 20 to 1': {
    pair: (random) => [
      { cost: 20 * skewed(random, 0.3), solved: 1 },
      { cost: skewed(random, 0.3), solved: passed(random, 0.05) },
    ],
  },
  'one task in 10 is 10 times as dear': { pair: dearForBoth(0.1, 10) },
  'one in 10 is 10 times as dear, against even': { pair: dearForOne(0.1, 10) },
  'one task in 20 is 100 times as dear': { pair: dearForBoth(0.05, 100), isBeyond: true },
  'one in 20 is 100 times as dear, against even': { pair: dearForOne(0.05, 100), isBeyond: true },
};

type IntervalOf = (tasks: readonly Task[], level: number) => Range | null;

const ownInterval: IntervalOf = (tasks, level) => costPerSolved(tasks, level).interval;

/** As `costPerSolved` had it up to decision 126. */
const studentInterval: IntervalOf = (tasks, level) => {
  const [costs, solved] = [tasks.map(({ cost }) => cost), tasks.map((task) => task.solved)];
  const [cost, share] = [mean(costs) as number, mean(solved) as number];
  const error = (standardDeviation(costs) as number) / Math.sqrt(costs.length);
  const half = studentQuantile((1 + level) / 2, costs.length - 1) * error;
  return ratioInterval(
    { value: cost, interval: { lo: Math.max(0, cost - half), hi: cost + half } },
    { value: share, interval: boundedMeanInterval(solved, { lo: 0, hi: 1 }, { level }) ?? { lo: 0, hi: 1 } },
    pearsonR(costs, solved) ?? 0,
  );
};

/** Whether a card shows one of the two to be behind the other. */
function isShown(sides: readonly (readonly Task[])[], intervalOf: IntervalOf): boolean {
  const estimates = (level: number) =>
    sides.map((tasks) => ({
      ...{ value: costPerSolved(tasks, level).value, interval: intervalOf(tasks, level) },
      ...{ tasks: tasks.length, ownTasks: tasks.length, reason: null },
    }));
  const ranks = estimateRanks(estimates(0.95), estimates, { direction: 'lower', alpha: 0.05 });
  return ranks.some((rank) => rank !== null && rank.better > 0);
}

/** Over very many tasks. */
function truthOf({ pair }: CostKind, random: Random): number {
  let [cost, solved] = [0, 0];
  for (let draw = 0; draw < 200_000; draw += 1)
    for (const task of pair(random)) [cost, solved] = [cost + task.cost, solved + task.solved];
  return cost / solved;
}

interface Counts {
  /** By model. */
  readonly held: [number, number];
  falsely: number;
  truly: number;
}

function countSet(sides: readonly (readonly Task[])[], truth: number, intervalOf: IntervalOf, counts: Counts): void {
  for (const [side, tasks] of sides.entries()) {
    const { lo, hi } = intervalOf(tasks, 0.95) ?? { lo: 0, hi: null };
    if (lo <= truth && truth <= (hi ?? truth)) counts.held[side as 0 | 1] += 1;
  }
  if (isShown(sides, intervalOf)) counts.falsely += 1;
  const [first = [], second = []] = sides;
  const dearer = second.map(({ cost, solved }) => ({ cost: 3 * cost, solved }));
  if (isShown([first, dearer], intervalOf)) counts.truly += 1;
}

/** One line per number of tasks. */
export function costLines(name: string, kind: CostKind, random: Random, sets: number): Line[] {
  const truth = truthOf(kind, random);
  return costSizes.map((n) => {
    const none = (): Counts => ({ held: [0, 0], falsely: 0, truly: 0 });
    const [own, student] = [none(), none()];
    for (let set = 0; set < sets; set += 1) {
      const pairs = Array.from({ length: n }, () => kind.pair(random));
      const sides = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
      countSet(sides, truth, ownInterval, own);
      countSet(sides, truth, studentInterval, student);
    }
    const rates = [
      ...[own, student].map(({ held }) => Math.min(...held) / sets),
      ...[own.falsely, student.falsely, own.truly, student.truly].map((count) => count / sets),
    ];
    const cells = [`${name}${kind.isBeyond === true ? ' *' : ''}`, String(n), ...rates.map(percent)];
    const [held = 0, , alarms = 0] = rates;
    const isMissed = held < leastHeld - noise(leastHeld, sets) || alarms > mostAlarms + noise(mostAlarms, sets);
    const faults =
      isMissed && kind.isBeyond !== true ? [`costs, ${name}, n ${n}: ${rates.map(percent).join(', ')}`] : [];
    return { title: 'cost differences', method: null, sets, cells, faults };
  });
}
