/** How far rankings of the same models agree: correlations of their numbers across studies, traits by methods. */
import { correlationMethod, spearmanInterval } from '../statistics/intervals/correlation-interval.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import { spearmanRho } from '../statistics/ranks/spearman.ts';
import type { Direction } from '../statistics/tests/version-verdict.ts';
import type { CardTrait } from './card-metric.ts';

/** One ranking: a metric in a study. */
export interface Ranking {
  readonly study: string;
  readonly metric: string;
  readonly condition: string;
  readonly trait: CardTrait;
  readonly direction: Direction;
  /** By model, whatever names it. */
  readonly values: ReadonlyMap<string, number>;
}

/**
 * After Campbell and Fiske (1959), with a study as the method: only rankings of one trait should agree, whichever study
 * they are from.
 */
export type RankingRelation = 'same_trait' | 'same_study' | 'same_trait_and_study' | 'different';

export interface RankingAgreement {
  readonly first: Ranking;
  readonly second: Ranking;
  readonly relation: RankingRelation;
  /** Spearman's rho, 1 if both put the same models first; null for fewer than five models, or if a side is constant. */
  readonly rho: number | null;
  readonly interval: Interval | null;
  readonly method: string;
  /** Models with both values. */
  readonly models: number;
  readonly reason: string | null;
}

/** With fewer models the jackknife has no interval, and a correlation without one says nothing. */
export const fewestModels = 5;

/** Every two rankings, in their order. */
export const rankingAgreements = (rankings: readonly Ranking[]): RankingAgreement[] =>
  rankings.flatMap((first, place) => rankings.slice(place + 1).map((second) => agreementOf(first, second)));

function agreementOf(first: Ranking, second: Ranking): RankingAgreement {
  const both = [...first.values.keys()].filter((model) => second.values.has(model));
  const [x, y] = [goodValues(first, both), goodValues(second, both)];
  const isTold = both.length >= fewestModels;
  const rho = isTold ? spearmanRho(x, y) : null;
  return {
    ...{ first, second, relation: relationOf(first, second), rho },
    interval: rho === null ? null : spearmanInterval(x, y),
    method: correlationMethod,
    models: both.length,
    reason: isTold ? (rho === null ? 'all models are equal on one side' : null) : fewText(both.length),
  };
}

export const fewText = (models: number): string =>
  `cannot be told from ${models === 1 ? '1 model' : `${models} models`}: ${fewestModels} are needed`;

/** On a scale where more is better, so that two rankings agree if their correlation is positive. */
const goodValues = ({ values, direction }: Ranking, models: readonly string[]): number[] =>
  models.map((model) => (direction === 'higher' ? 1 : -1) * (values.get(model) as number));

function relationOf(first: Ranking, second: Ranking): RankingRelation {
  const [sameTrait, sameStudy] = [first.trait === second.trait, first.study === second.study];
  if (sameTrait) return sameStudy ? 'same_trait_and_study' : 'same_trait';
  return sameStudy ? 'same_study' : 'different';
}
