/** PartialOrderEval by model size: pass@1 of the largest and the smallest model of a family at each level of detail. */
import type { Row } from '../../../schemas/tables.ts';
import { boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { defaultLevel } from '../../../domain/statistics/intervals/interval.ts';
import { compareByColumns, groupByColumns, textOf } from '../../../domain/metrics/row-order.ts';
import { sharedPromptMeans } from './by-prompt.ts';
import { pairColumns } from './pair-columns.ts';
import { keyColumns } from './rows.ts';
import { type LevelScores, levelScores, paired } from './scores.ts';

export interface SizeGaps {
  /** Adds all rows of `prompt_passes` of some models; models in the order of their names. */
  add(passes: readonly Row[]): void;
  rows(): Row[];
}

/** Models of one benchmark, language and setting. */
interface Place {
  readonly key: Row;
  readonly families: Map<string, Ends>;
  simulated: boolean;
}

/** The smallest and the largest model of a family so far. */
interface Ends {
  small: Sized;
  large: Sized;
}

interface Sized {
  readonly model: string;
  readonly sizeB: number;
  /** Place in the list of models: of equal sizes the first is the smallest, and the last the largest. */
  readonly place: number;
  readonly levels: readonly LevelScores[];
}

const placeColumns = ['run', 'study', 'benchmark', 'language', 'setting'];

/**
 * By size (section 4.3): at each level the gap between the largest and the smallest model of a family, over the tasks
 * and prompts for which both have a score. Excludes families with only one size. Only the scores of those two models
 * are kept.
 * @param models rows of `models`
 */
export function collectSizeGaps(models: readonly Row[]): SizeGaps {
  const places = new Map<string, Place>();
  return {
    add(passes) {
      const sorted = passes.toSorted(compareByColumns([...keyColumns, 'task_id', 'variant', 'repetition']));
      for (const rows of groupByColumns(sorted, placeColumns)) addTo(placeOf(places, rows[0] as Row), rows, models);
    },
    rows: () => [...places.values()].flatMap((place) => familyRows(place, models)),
  };
}

function placeOf(places: Map<string, Place>, first: Row): Place {
  const key = Object.fromEntries(placeColumns.map((column) => [column, first[column] ?? null]));
  const name = JSON.stringify(Object.values(key));
  const place = places.get(name) ?? { key, families: new Map<string, Ends>(), simulated: false };
  places.set(name, place);
  return place;
}

function addTo(place: Place, rows: readonly Row[], models: readonly Row[]): void {
  place.simulated ||= rows.some((row) => row['simulated'] === true);
  const byModel = Map.groupBy(rows, (row) => textOf(row, 'model'));
  for (const [at, row] of models.entries()) {
    const own = row['run'] === place.key['run'] ? byModel.get(textOf(row, 'model')) : undefined;
    if (own === undefined || row['family'] === null || row['size_b'] === null) continue;
    const sized = { model: textOf(row, 'model'), sizeB: Number(row['size_b']), place: at };
    const ends = place.families.get(textOf(row, 'family'));
    if (ends !== undefined && !isBelow(sized, ends.small) && !isBelow(ends.large, sized)) continue;
    const scored = { ...sized, levels: levelScores(own) };
    place.families.set(textOf(row, 'family'), {
      small: ends === undefined || isBelow(sized, ends.small) ? scored : ends.small,
      large: ends === undefined || isBelow(ends.large, sized) ? scored : ends.large,
    });
  }
}

const isBelow = (one: Omit<Sized, 'levels'>, other: Omit<Sized, 'levels'>): boolean =>
  one.sizeB < other.sizeB || (one.sizeB === other.sizeB && one.place < other.place);

/** Families in the order of the models. */
function familyRows({ key, families, simulated }: Place, models: readonly Row[]): Row[] {
  const members = models.filter((model) => model['run'] === key['run'] && families.has(String(model['family'])));
  const names = new Set(members.map((model) => textOf(model, 'family')));
  return [...names].flatMap((family) => {
    const { small, large } = families.get(family) as Ends;
    if (small.sizeB === large.sizeB) return [];
    return small.levels.map((level) => ({
      ...key,
      ...{ family, smallest: small.model, largest: large.model },
      ...{ smallest_size_b: small.sizeB, largest_size_b: large.sizeB },
      ...gapColumns(level, large),
      simulated,
    }));
  });
}

/** By task: over the prompts that were judged of both models. */
function pairedPrompts(level: LevelScores, other: LevelScores): [number, number][] {
  if (level.nUnjudged + other.nUnjudged === 0) return paired(level.scores, other.scores);
  const [first, second] = sharedPromptMeans([level.byPrompt, other.byPrompt], 1);
  return first && second ? paired(first, second) : [];
}

function gapColumns(level: LevelScores, large: Sized): Row {
  const other = large.levels.find(
    ({ augmentation, level: at }) => augmentation === level.augmentation && at === level.level,
  );
  const pairs = other === undefined ? [] : pairedPrompts(level, other);
  return {
    ...{ augmentation: level.augmentation, level: level.level },
    ...pairColumns(['smallest_pass_at_1', 'largest_pass_at_1', 'gap'], pairs),
    ...{ confidence: defaultLevel, interval_method: boundedMeanMethod, n: pairs.length },
  };
}
