/** Ranks of many models: how often all rank intervals hold at once, and how often each posterior one does. */
import { jointPlaces, type TestedPair } from '../../domain/statistics/intervals/joint-places.ts';
import { posteriorRanks } from '../../domain/statistics/ranks/posterior-ranks.ts';
import { placesOf } from '../../domain/statistics/ranks/ranks.ts';
import { mcnemarP } from '../../domain/statistics/tests/mcnemar.ts';
import type { Random } from './random.ts';

/** Mean pass rates of the models, from 0 to 1. */
export const jointRankKinds: Readonly<Record<string, readonly number[]>> = {
  '2 equal models, 90 %': [0.9, 0.9],
  '12 equal models, 50 %': Array.from({ length: 12 }, () => 0.5),
  '12 equal models, 95 %': Array.from({ length: 12 }, () => 0.95),
  '30 models, groups of three': Array.from({ length: 30 }, (_, model) => 0.3 + 0.06 * Math.floor(model / 3)),
  '96 equal models, 70 %': Array.from({ length: 96 }, () => 0.7),
};

/** Whether each interval contains all ranks that its model truly has, or may take among ties, in one set of tasks. */
export function jointRanksHold(random: Random, rates: readonly number[], tasks: number): boolean {
  const scores = passedOrFailed(random, rates, tasks);
  const { places } = jointPlaces(scores, testedPairs(scores), {
    seed: Math.floor(random.uniform() * 2 ** 31),
    resamples: 1_000,
  });
  return rates.every((rate, model) => {
    const { lo, hi } = places[model] ?? { lo: 0, hi: 0 };
    const [above, below] = [rates.filter((other) => other > rate), rates.filter((other) => other < rate)];
    return lo <= 1 + above.length && hi >= rates.length - below.length;
  });
}

/** By model, then by task. All models find the same tasks hard; a model's mean rate stays what it is. */
function passedOrFailed(random: Random, rates: readonly number[], tasks: number): number[][] {
  const scores: number[][] = rates.map(() => []);
  for (let task = 0; task < tasks; task += 1) {
    const hardness = random.uniform() - 0.5;
    for (const [model, rate] of rates.entries())
      scores[model]?.push(Number(random.uniform() < rate + hardness * 2 * Math.min(rate, 1 - rate)));
  }
  return scores;
}

function testedPairs(scores: readonly (readonly number[])[]): TestedPair[] {
  return scores.flatMap((a, first) =>
    scores.slice(first + 1).map((b, next) => {
      let [better, worse] = [0, 0];
      for (const [task, value] of a.entries()) {
        if (value > (b[task] as number)) better += 1;
        else if (value < (b[task] as number)) worse += 1;
      }
      return { first, second: first + 1 + next, p: mcnemarP(worse, better) };
    }),
  );
}

/** Numbers of models whose mean pass rates are drawn. */
export const posteriorKinds = [4, 14, 48] as const;

/** Models whose posterior interval contains their true rank, in one set of tasks. */
export function posteriorRanksHeld(random: Random, models: number, tasks: number): number {
  const rates = Array.from({ length: models }, () => random.beta(0.6, 8));
  const found = posteriorRanks(passedOrFailed(random, rates, tasks), {
    ...{ seed: Math.floor(random.uniform() * 2 ** 31), width: 1, draws: 1_000 },
  });
  const ranks = placesOf(rates);
  return (found ?? []).filter(
    ({ interval: { lo, hi } }, model) => lo <= (ranks[model] as number) && (ranks[model] as number) <= hi,
  ).length;
}
