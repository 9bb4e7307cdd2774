/** Compares a ranking with another one, for example a published one, over the models that both have. */
import { kendallInterval, spearmanInterval } from '../intervals/correlation-interval.ts';
import type { Interval } from '../intervals/interval.ts';
import { kendall } from './kendall.ts';
import { spearman } from './spearman.ts';
import { placesOf } from './ranks.ts';
import type { TestResult } from '../tests/test-result.ts';

/** How far apart two ranks are: equal, up to two ranks, or further (EVALOOP, section 4.2). */
export type Nearness = 'same' | 'within_2' | 'apart';

export interface ComparedModel {
  readonly model: string;
  /** Ranks among the shared models only, 1 is best. */
  readonly place: number;
  readonly otherPlace: number;
  readonly nearness: Nearness;
}

export interface RankComparison {
  /** In the order of the first ranking. */
  readonly models: readonly ComparedModel[];
  readonly spearman: TestResult;
  /** Tau-b. */
  readonly kendall: TestResult;
  /** Intervals of these two, over models; null for fewer than five models. Even for a dozen models they are wide. */
  readonly intervals: { readonly spearman: Interval | null; readonly kendall: Interval | null };
  /** Models that are in only one of the rankings. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
}

/** Scores by model, more is better; a ranking given only by ranks is a map of negated ranks. */
export function compareRankings(
  first: ReadonlyMap<string, number>,
  second: ReadonlyMap<string, number>,
): RankComparison {
  const shared = [...first.keys()].filter((model) => second.has(model));
  const scores = shared.map((model) => first.get(model) as number);
  const others = shared.map((model) => second.get(model) as number);
  return {
    models: compared(shared, placesOf(scores), placesOf(others)),
    spearman: spearman(scores, others),
    kendall: kendall(scores, others),
    intervals: { spearman: spearmanInterval(scores, others), kendall: kendallInterval(scores, others) },
    onlyFirst: [...first.keys()].filter((model) => !second.has(model)),
    onlySecond: [...second.keys()].filter((model) => !first.has(model)),
  };
}

function compared(models: readonly string[], places: readonly number[], others: readonly number[]): ComparedModel[] {
  const rows = models.map((model, index) => {
    const [place, otherPlace] = [places[index] as number, others[index] as number];
    return { model, place, otherPlace, nearness: nearnessOf(Math.abs(place - otherPlace)) };
  });
  return rows.sort((a, b) => a.place - b.place);
}

/** Ties give half ranks; 2.5 ranks are more than two. */
const nearnessOf = (places: number): Nearness => (places === 0 ? 'same' : places <= 2 ? 'within_2' : 'apart');
