/** PartialOrderEval's derived tables: curves, sufficient levels, violations of monotonicity. One model and setting at a time, in key order. */
import type { Row } from '../../schemas/tables.ts';
import { seedOf } from '../random.ts';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { clusterBootstrap, defaultResamples, resampledValues } from '../statistics/bootstrap.ts';
import { holmAdjusted } from '../statistics/holm.ts';
import { defaultLevel, tailOf } from '../statistics/interval.ts';
import { mcnemarP } from '../statistics/mcnemar.ts';
import { pairedBootstrap, resamplesFor } from '../statistics/paired-bootstrap.ts';
import { compareByColumns, groupByColumns, textOf } from './row-order.ts';
import { curveNames, curveOf, type Curve, levelName, type LevelScores, levelScores, mean, paired } from './specificity-scores.ts';

export interface SpecificityRowSettings {
  /** The spec's seed; each bootstrap's own seed is made from it and the row's key. */
  readonly seed: number;
  /** x: how far below the maximal prompt's pass@1 a level may be and still do. */
  readonly within: number;
  /** Model that checked the maximal prompts; null where none did. */
  readonly checker: string | null;
  /** Default 2,000. */
  readonly resamples?: number;
}

export interface SpecificityTables {
  readonly specificity_curve: readonly Row[];
  readonly specificity_summary: readonly Row[];
  readonly specificity_pairs: readonly Row[];
}

export const keyColumns = ['run', 'study', 'model', 'benchmark', 'language', 'setting'] as const;
const alpha = 0.05;

/** @param passes rows of `prompt_passes` @param models rows of `models`, for family and size */
export function specificityTables(
  passes: readonly Row[],
  settings: SpecificityRowSettings,
  models: readonly Row[] = [],
): SpecificityTables {
  const sorted = passes.toSorted(compareByColumns([...keyColumns, 'task_id', 'variant', 'repetition']));
  const groups = groupByColumns(sorted, keyColumns).map((rows) => new ModelScores(rows, settings, models));
  return {
    specificity_curve: groups.flatMap((group) => group.curveRows()),
    specificity_summary: groups.flatMap((group) => group.summaryRows()),
    specificity_pairs: groups.flatMap((group) => group.pairRows()),
  };
}

/** Pairs of scores that a difference is taken over. */
type Pairs = readonly (readonly [number, number])[];
/** Called thousands of times for each pair of levels: without lists of its own. */
export function meanDifference(pairs: Pairs): number | null {
  let sum = 0;
  for (const pair of pairs) sum += pair[1] - pair[0];
  return pairs.length === 0 ? null : sum / pairs.length;
}

/** One model under one setting. */
class ModelScores {
  readonly #rows: readonly Row[];
  readonly #settings: SpecificityRowSettings;
  readonly #levels: readonly LevelScores[];
  readonly #common: Row;

  constructor(rows: readonly Row[], settings: SpecificityRowSettings, models: readonly Row[]) {
    const first = rows[0] as Row;
    const model = models.find((row) => row['run'] === first['run'] && row['model'] === first['model']);
    this.#rows = rows;
    this.#settings = settings;
    this.#levels = levelScores(rows);
    this.#common = {
      ...Object.fromEntries(keyColumns.map((column) => [column, first[column] ?? null])),
      family: model?.['family'] ?? null,
      size_b: model?.['size_b'] ?? null,
      simulated: rows.some((row) => row['simulated'] === true),
    };
  }

  #level(augmentation: string): LevelScores | undefined {
    return this.#levels.find((level) => level.augmentation === augmentation);
  }

  #seed(...parts: readonly (string | number)[]): number {
    const key = keyColumns.slice(1).map((column) => textOf(this.#common, column));
    return seedOf('specificity', this.#settings.seed, ...key, ...parts);
  }

  /** One row per level, and per position of a masked block. */
  curveRows(): Row[] {
    const order = ['minimal', ...curveNames, 'maximal', 'original'];
    const levels = this.#levels.toSorted(
      (a, b) => order.indexOf(a.augmentation) - order.indexOf(b.augmentation) || (a.level ?? 0) - (b.level ?? 0),
    );
    return levels.flatMap((level) => [
      this.#curveRow(level, null, null),
      ...(level.augmentation === 'mask' ? this.#positionRows(level) : []),
    ]);
  }

  /** Draw k of a mask ratio is the k-th place of the block, from the beginning to the end. */
  #positionRows(whole: LevelScores): Row[] {
    return Array.from({ length: whole.draws }, (_, index) => index + 1).flatMap((draw) => {
      const own = levelScores(this.#rows, draw).find(({ augmentation, level }) => augmentation === 'mask' && level === whole.level);
      return own === undefined ? [] : [this.#curveRow(own, draw, whole)];
    });
  }

  #curveRow(level: LevelScores, draw: number | null, whole: LevelScores | null): Row {
    const name = levelName(level);
    const values = [...level.scores.values()];
    const seed = this.#seed('curve', level.augmentation, name, draw ?? 'all');
    const interval = values.length === 0 ? null : clusterBootstrap(values, mean, { ...this.#settings, seed }).interval;
    const maximal = this.#level('maximal');
    const original = this.#level('original');
    return {
      ...this.#common,
      augmentation: level.augmentation,
      level: level.level,
      draw,
      words: level.words,
      pass_at_1: mean(values),
      pass_at_1_lo: interval?.lo ?? null,
      pass_at_1_hi: interval?.hi ?? null,
      ...this.#gap('to_maximal', level, maximal, seed),
      ...this.#gap('to_original', level, original, seed),
      ...this.#gap('to_level', whole === null ? undefined : level, whole ?? undefined, seed),
      confidence: defaultLevel,
      interval_method: this.#method(),
      n: values.length,
      n_prompts: level.nPrompts,
      n_excluded: level.nExcluded,
      n_without_pragma: level.nWithoutPragma,
      own_check: level.augmentation !== 'original' && level.augmentation !== 'minimal' && this.#common['model'] === this.#settings.checker,
      reason: values.length === 0 ? 'no prompt of this level counts' : null,
    };
  }

  /** This level's scores minus the other's, over tasks with both. */
  #gap(name: string, level: LevelScores | undefined, other: LevelScores | undefined, seed: number): Row {
    const pairs = level === undefined || other === undefined || level === other ? [] : paired(other.scores, level.scores);
    const interval = pairs.length === 0 ? null : clusterBootstrap(pairs, meanDifference, { ...this.#settings, seed }).interval;
    return { [name]: meanDifference(pairs), [`${name}_lo`]: interval?.lo ?? null, [`${name}_hi`]: interval?.hi ?? null };
  }

  #method(): string {
    return `percentile bootstrap over tasks, ${this.#settings.resamples ?? defaultResamples} resamples`;
  }

  /** One row per curve. */
  summaryRows(): Row[] {
    return curveNames.flatMap((curve) => {
      const levels = curveOf(this.#levels, curve);
      return levels.some(({ augmentation }) => augmentation === curve) ? [this.#summaryRow(curve, levels)] : [];
    });
  }

  #summaryRow(curve: Curve, levels: readonly LevelScores[]): Row {
    const original = this.#level('original');
    const maximal = this.#level('maximal');
    const tasks = commonTasks([...levels, ...(original === undefined ? [] : [original])]);
    const scores = tasks.map((task) => ({
      curve: levels.map((level) => level.scores.get(task) as number),
      original: original?.scores.get(task) ?? null,
    }));
    const pairs = maximal === undefined || original === undefined ? [] : paired(original.scores, maximal.scores);
    const broken = pairs.filter(([before, after]) => before === 1 && after === 0).length;
    const mended = pairs.filter(([before, after]) => before === 0 && after === 1).length;
    const seed = this.#seed('summary', curve);
    const single = pairs.every((pair) => pair.every((score) => score === 0 || score === 1));
    return {
      ...this.#common,
      augmentation: curve,
      within: this.#settings.within,
      ...this.#sufficient('sufficient', levels, scores, seed, (passes) => (passes.at(-1) ?? 0) - this.#settings.within),
      ...this.#sufficient('reaches_original', levels, scores, seed, (_passes, reference) => reference),
      pass_at_1_maximal: mean([...(maximal?.scores.values() ?? [])]),
      pass_at_1_original: mean([...(original?.scores.values() ?? [])]),
      ...this.#gap('maximal_to_original', maximal, original, seed),
      maximal_to_original_p: pairs.length === 0 || !single ? null : mcnemarP(broken, mended),
      confidence: defaultLevel,
      interval_method: this.#method(),
      n: tasks.length,
      n_excluded: allTasks(this.#levels).size - tasks.length,
      own_check: this.#common['model'] === this.#settings.checker,
      reason: tasks.length === 0 ? 'no task counts at every level' : null,
    };
  }

  /** The first level whose pass@1 is at least the wanted one, with the levels at the tails of its bootstrap distribution. */
  #sufficient(
    name: string,
    levels: readonly LevelScores[],
    tasks: readonly CurveOfTask[],
    seed: number,
    wanted: (passes: readonly number[], original: number | null) => number | null,
  ): Row {
    const first = (drawn: readonly CurveOfTask[]): number | null => {
      if (drawn.length === 0) return null;
      const passes = levels.map((_, index) => mean(drawn.map(({ curve }) => curve[index] as number)) as number);
      const originals = drawn.flatMap(({ original }) => original ?? []);
      const bar = wanted(passes, originals.length === drawn.length ? mean(originals) : null);
      // Sums of equal scores in another order may differ in their last digits.
      const index = bar === null ? -1 : passes.findIndex((pass) => pass >= bar - 1e-9);
      return bar === null ? null : index === -1 ? levels.length : index;
    };
    const value = first(tasks);
    const drawn = value === null ? [] : resampledValues(tasks, first, { ...this.#settings, seed }).toSorted((a, b) => a - b);
    const tail = tailOf(defaultLevel);
    const at = (index: number | undefined | null): string | null =>
      index === undefined || index === null ? null : index === levels.length ? 'none' : levelName(levels[index] as LevelScores);
    return {
      [name]: at(value),
      [`${name}_lo`]: at(drawn[Math.floor(tail * (drawn.length - 1))]),
      [`${name}_hi`]: at(drawn[Math.ceil((1 - tail) * (drawn.length - 1))]),
    };
  }

  /** One row per pair of levels of which one is below the other; all of a model's pairs are one family of tests. */
  pairRows(): Row[] {
    const found = curveNames.flatMap((curve) => {
      const levels = curveOf(this.#levels, curve);
      return levels.flatMap((lower, place) => levels.slice(place + 1).map((upper) => ({ curve, lower, upper })));
    });
    const ends = ({ lower, upper }: { lower: LevelScores; upper: LevelScores }): string =>
      lower.level === null && upper.level === null ? 'ends' : '';
    // Minimal against maximal stands in every curve and is tested once.
    const pairs = found.filter((pair, index) => ends(pair) === '' || found.findIndex((other) => ends(other) === 'ends') === index);
    const family = pairs.length;
    const tests = pairs.map(({ curve, lower, upper }) => this.#tested(curve, lower, upper, family));
    const holm = holmAdjusted(tests.map(({ p }) => p));
    const bh = benjaminiHochberg(tests.map(({ p }) => p));
    return tests.map(({ row, p }, index) => ({ ...row, p, p_holm: holm[index] ?? null, p_bh: bh[index] ?? null, family_size: family }));
  }

  #tested(curve: Curve, lower: LevelScores, upper: LevelScores, family: number): { row: Row; p: number | null } {
    const pairs = paired(lower.scores, upper.scores);
    const seed = this.#seed('pairs', curve, levelName(lower), levelName(upper));
    const exact = lower.draws === 1 && upper.draws === 1 && pairs.every((pair) => pair.every((score) => score === 0 || score === 1));
    // An exact p needs no resamples; the interval does with fewer.
    const resamples = this.#settings.resamples ?? (exact ? defaultResamples : resamplesFor(family, alpha));
    const { difference, interval, p } = pairedBootstrap(pairs, meanDifference, { seed, resamples });
    const count = (before: number, after: number): number => pairs.filter((pair) => pair[0] === before && pair[1] === after).length;
    const row = {
      ...this.#common,
      augmentation: curve,
      lower: levelName(lower),
      upper: levelName(upper),
      lower_pass_at_1: mean(pairs.map(([score]) => score)),
      upper_pass_at_1: mean(pairs.map(([, score]) => score)),
      difference,
      difference_lo: interval?.lo ?? null,
      difference_hi: interval?.hi ?? null,
      violates: difference === null ? null : difference < -1e-9,
      test: exact ? 'mcnemar' : 'paired bootstrap',
      n: pairs.length,
    };
    return { row, p: pairs.length === 0 ? null : exact ? mcnemarP(count(1, 0), count(0, 1)) : p };
  }
}

interface CurveOfTask {
  readonly curve: readonly number[];
  readonly original: number | null;
}

const allTasks = (levels: readonly LevelScores[]): Set<string> => new Set(levels.flatMap(({ scores }) => [...scores.keys()]));

/** Tasks with a score at every level, in the order of the first. */
function commonTasks(levels: readonly LevelScores[]): string[] {
  const [first, ...others] = levels;
  return [...(first?.scores.keys() ?? [])].filter((task) => others.every(({ scores }) => scores.has(task)));
}
