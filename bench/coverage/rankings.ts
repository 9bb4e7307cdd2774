/** Agreement between rankings of models drawn at random, and the places of models over tasks drawn at random. */
import {
  concordanceInterval,
  kendallInterval,
  spearmanInterval,
} from '../../domain/statistics/intervals/correlation-interval.ts';
import { iccIntervals } from '../../domain/statistics/intervals/icc-interval.ts';
import type { Interval } from '../../domain/statistics/intervals/interval.ts';
import { placeIntervals } from '../../domain/statistics/intervals/place-intervals.ts';
import type { Random } from './random.ts';

export const agreementKinds = ['Spearman', 'Kendall', "Kendall's W", 'ICC(2,1)', 'ICC(3,1)'] as const;

export const agreementMethods: Readonly<Record<(typeof agreementKinds)[number], string>> = {
  Spearman: 'jackknife, Student’s t',
  Kendall: 'jackknife, Student’s t',
  "Kendall's W": 'jackknife, Bonett-Wright',
  'ICC(2,1)': 'pivots',
  'ICC(3,1)': 'Shrout-Fleiss',
};

/** Settings of a study: summary prompts, temperatures. */
const settings = 4;
/** Standard deviation of the shift that a setting gives to all scores. */
const shift = 0.3;

/** Scores of normally distributed models under each setting, with correlation `r`. */
export function scoreTable(random: Random, r: number, models: number): number[][] {
  const own = Array.from({ length: models }, () => random.normal());
  return Array.from({ length: settings }, () => {
    const shifted = shift * random.normal();
    return own.map((value) => Math.sqrt(r) * value + Math.sqrt(1 - r) * random.normal() + shifted);
  });
}

/** True values for normal scores with correlation r: rho and tau in closed form, W from rho, ICC from variances. */
export function agreementTruth(r: number): Record<(typeof agreementKinds)[number], number> {
  const rho = (6 / Math.PI) * Math.asin(r / 2);
  return {
    Spearman: rho,
    Kendall: (2 / Math.PI) * Math.asin(r),
    "Kendall's W": (1 + (settings - 1) * rho) / settings,
    'ICC(2,1)': r / (1 + shift ** 2),
    'ICC(3,1)': r,
  };
}

export function agreementIntervals(
  table: readonly (readonly number[])[],
): Record<(typeof agreementKinds)[number], Interval | null> {
  const [first = [], second = []] = table;
  const icc = iccIntervals(table);
  return {
    Spearman: spearmanInterval(first, second),
    Kendall: kendallInterval(first, second),
    "Kendall's W": concordanceInterval(table),
    'ICC(2,1)': icc?.agreement ?? null,
    'ICC(3,1)': icc?.consistency ?? null,
  };
}

/**
 * Six models, the middle two equally good, on tasks with a shared difficulty; a score is a squared number of loops.
 */
const abilities = [0.85, 0.8, 0.7, 0.7, 0.6, 0.4];
/** True places: the two in the middle share 3 and 4. */
const truePlaces = [1, 2, 3.5, 3.5, 5, 6];

/** Number of models whose interval contains their true place, and of all models. */
export function placesHeld(random: Random, tasks: number): readonly [number, number] {
  const scores = Array.from({ length: tasks }, () => {
    const hardness = random.normal() / 6;
    return abilities.map((ability) => {
      let sustained = 0;
      while (sustained < 10 && random.uniform() < Math.max(0, Math.min(1, ability - hardness))) sustained += 1;
      return sustained ** 2;
    });
  });
  const held = placeIntervals(scores).filter(
    ({ lo, hi }, model) => lo <= (truePlaces[model] as number) && (truePlaces[model] as number) <= hi,
  );
  return [held.length, abilities.length];
}
