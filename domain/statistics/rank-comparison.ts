/** Our ranking next to somebody else's, over the models that both have. */
import { kendallInterval, spearmanInterval } from './correlation-interval.ts';
import type { Interval } from './interval.ts';
import { kendall } from './kendall.ts';
import { spearman } from './spearman.ts';
import { placesOf } from './ranks.ts';
import type { TestResult } from './test-result.ts';

/** How far apart two places are: the same, up to two places, or further (EVALOOP, section 4.2). */
export type Nearness = 'same' | 'within_2' | 'apart';

export interface ComparedModel {
  readonly model: string;
  /** Places among the shared models only, 1 is best. */
  readonly place: number;
  readonly otherPlace: number;
  readonly nearness: Nearness;
}

export interface RankComparison {
  /** By place in the first ranking. */
  readonly models: readonly ComparedModel[];
  readonly spearman: TestResult;
  /** Tau-b. */
  readonly kendall: TestResult;
  /** Of these two, over models; null with fewer than five models. A dozen models give a wide one. */
  readonly intervals: { readonly spearman: Interval | null; readonly kendall: Interval | null };
  /** Models that only the one or the other ranks. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
}

/** Scores by model, more is better; a ranking given by places only is a map of negated places. */
export function compareRankings(first: ReadonlyMap<string, number>, second: ReadonlyMap<string, number>): RankComparison {
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

/** Half places come from ties; 2.5 places are more than two. */
const nearnessOf = (places: number): Nearness => (places === 0 ? 'same' : places <= 2 ? 'within_2' : 'apart');
