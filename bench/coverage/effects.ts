/** Effect sizes between two groups of models over the same tasks: Cliff's delta and epsilon squared. */
import { type Delta, effectIntervals } from '../../studies/promptse/results/questions/delta-effect.ts';
import { cliffsDelta } from '../../domain/statistics/tests/cliffs-delta.ts';
import { epsilonSquared, kruskalWallis } from '../../domain/statistics/tests/kruskal-wallis.ts';
import type { SimulatedEstimate } from './estimates.ts';
import type { Random } from './random.ts';

type Groups = readonly [readonly Delta[], readonly Delta[]];

/** Two deltas per group and task, in tenths; those of the first group are larger by up to 0.5. */
function twoGroups(random: Random, p: number, tasks: number): Groups {
  const groups: [Delta[], Delta[]] = [[], []];
  for (let task = 0; task < tasks; task += 1) {
    const own = random.beta(0.3, 4);
    for (const [group, by] of [p / 2, 0].entries())
      for (const distance of [0.1, 0.2]) {
        const delta = Math.round(10 * random.beta(Math.min(0.97, Math.max(0.02, own + by)), 4)) / 10;
        groups[group]?.push({
          model: String(group),
          family: null,
          sizeB: null,
          cluster: String(task),
          distance,
          delta,
        });
      }
  }
  return groups;
}

const values = (groups: Groups): number[][] => groups.map((own) => own.map(({ delta }) => delta));
/**
 * Number of tasks for the true value. With only 4,000, epsilon squared varies by 0.005, and the coverage of five tasks
 * by 0.5 points.
 */
const many = 40_000;

export const effects: readonly SimulatedEstimate[] = [
  {
    name: "Cliff's delta (p: twice the shift)",
    method: 'jackknife, Student’s t',
    truth: (random, p) => cliffsDelta(...(values(twoGroups(random, p, many)) as [number[], number[]])) as number,
    interval: (random, p, n) => effectIntervals(twoGroups(random, p, n)).cliffsDelta,
  },
  {
    name: 'epsilon squared (p: twice the shift)',
    method: 'jackknife, Student’s t',
    truth: (random, p) => {
      const { statistic, n } = kruskalWallis(values(twoGroups(random, p, many)));
      return epsilonSquared(statistic as number, n);
    },
    interval: (random, p, n) => effectIntervals(twoGroups(random, p, n)).epsilonSquared ?? undefined,
  },
];
