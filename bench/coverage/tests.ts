/** False alarms and power of paired tests: log-rank against its unpaired form, sign flips against Student's t. */
import { pairedTTest } from '../../domain/statistics/tests/paired-t.ts';
import { pairedLogRank } from '../../domain/statistics/tests/paired-log-rank.ts';
import { signFlipTest } from '../../domain/statistics/tests/sign-flip.ts';
import type { Duration } from '../../domain/statistics/survival-steps.ts';
import { durationOf, maxLoops } from './loops.ts';
import type { Random } from './random.ts';

export interface LogRankCase {
  readonly tasks: number;
  readonly repetitions: number;
  /** Share of a task's difficulty that is common to both models, 0 to 1. */
  readonly shared: number;
  /** How much easier every loop is for the first model. */
  readonly effect: number;
}

export interface Rejections {
  readonly paired: number;
  /** Mantel's test (1966), which treats all cells as independent. */
  readonly unpaired: number;
}

/** Number of random swaps of the paired test: enough for a level of 5 %. */
const draws = 199;

export function logRankRejections(
  random: Random,
  { tasks, repetitions, shared, effect }: LogRankCase,
  sets: number,
): Rejections {
  let [paired, unpaired] = [0, 0];
  for (let set = 0; set < sets; set += 1) {
    const data = Array.from({ length: tasks }, () => {
      const common = random.normal();
      const of = (easier: number): Duration[] => {
        const ease = 1.2 + 1.5 * (Math.sqrt(shared) * common + Math.sqrt(1 - shared) * random.normal()) + easier;
        return Array.from({ length: repetitions }, () => lasting(random, 1 / (1 + Math.exp(-ease))));
      };
      return { first: of(effect), second: of(0) };
    });
    const { p } = pairedLogRank(data, { seed: set, draws });
    if (p !== null && p <= 0.05) paired += 1;
    const statistic = mantel(
      data.flatMap(({ first }) => first),
      data.flatMap(({ second }) => second),
    );
    if (statistic > chiSquare95) unpaired += 1;
  }
  return { paired, unpaired };
}

/** Chi-square with one degree of freedom. */
const chiSquare95 = 3.841;

function lasting(random: Random, ability: number): Duration {
  let sustained = 0;
  while (sustained < maxLoops && random.uniform() < ability) sustained += 1;
  return durationOf({ sustained });
}

/** Mantel (1966): chi-square with one degree of freedom, if all cells are independent. */
function mantel(first: readonly Duration[], second: readonly Duration[]): number {
  let [excess, variance] = [0, 0];
  const ends = [first, second].map((cells) => {
    const counts = new Float64Array(maxLoops + 1);
    for (const { time, ended } of cells) if (ended) counts[time] = (counts[time] as number) + 1;
    return counts;
  });
  let [risk1, risk2] = [first.length, second.length];
  for (let time = 1; time <= maxLoops; time += 1) {
    const [ended1, ended2] = ends.map((counts) => counts[time] as number) as [number, number];
    const [risk, ended] = [risk1 + risk2, ended1 + ended2];
    if (risk > 1) {
      excess += ended1 - (ended * risk1) / risk;
      variance += (ended * risk1 * risk2 * (risk - ended)) / (risk ** 2 * (risk - 1));
    }
    [risk1, risk2] = [risk1 - ended1, risk2 - ended2];
  }
  return variance === 0 ? 0 : excess ** 2 / variance;
}

/** Two versions of one distribution each, the new one shifted. */
export const signFlipKinds: Readonly<Record<string, (random: Random) => number>> = {
  normal: (random) => random.normal(),
  skewed: (random) => Math.exp(1.2 * random.normal()),
  'pass or fail': (random) => Number(random.uniform() < 0.7),
  'share of 3 samples': (random) => [1, 2, 3].filter(() => random.uniform() < 0.7).length / 3,
};

/** Rejections of the sign flips, and of Student's t on the same differences. */
export function signFlipRejections(
  random: Random,
  kind: (random: Random) => number,
  tasks: number,
  shift: number,
  sets: number,
): readonly [number, number] {
  let [flips, students] = [0, 0];
  for (let set = 0; set < sets; set += 1) {
    const differences = Array.from({ length: tasks }, () => kind(random) + shift - kind(random));
    if ((signFlipTest(differences, { seed: set, draws }).p as number) <= 0.05) flips += 1;
    if ((pairedTTest(differences)?.p ?? 1) <= 0.05) students += 1;
  }
  return [flips, students];
}
