/**
 * PartialOrderEval's derived tables: curves, sufficient levels, violations of monotonicity. Computed for one model and
 * setting at a time, in key order.
 */
import type { Row } from '../../../schemas/tables.ts';
import { seedOf } from '../../../domain/random.ts';
import { benjaminiHochberg } from '../../../domain/statistics/tests/benjamini-hochberg.ts';
import { boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { holmAdjusted } from '../../../domain/statistics/tests/holm.ts';
import { defaultLevel } from '../../../domain/statistics/intervals/interval.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import { signFlipTest, swapsFor } from '../../../domain/statistics/tests/sign-flip.ts';
import { compareByColumns, groupByColumns, textOf } from '../../../domain/metrics/row-order.ts';
import { differenceBounds, meanColumns, shareBounds } from '../../../domain/metrics/score-intervals.ts';
import { differencesOf, pairColumns } from './pair-columns.ts';
import { curveNames, curveOf, type Curve, levelName, type LevelScores, levelScores, mean, paired } from './scores.ts';
import { type LevelGaps, sufficientLevel } from './sufficient-level.ts';

export interface SpecificityRowSettings {
  /** The spec's seed; each test's seed is derived from it and the row's key. */
  readonly seed: number;
  /** x: how far below the maximal prompt's pass@1 a sufficient level may be. */
  readonly within: number;
  /** Model that checked the maximal prompts; null if none did. */
  readonly checker: string | null;
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

  /** One row per level, and one per position of a masked block. */
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

  /** Draw k of a mask ratio is the k-th position of the block, from the beginning to the end. */
  #positionRows(whole: LevelScores): Row[] {
    return Array.from({ length: whole.draws }, (_, index) => index + 1).flatMap((draw) => {
      const own = levelScores(this.#rows, draw).find(
        ({ augmentation, level }) => augmentation === 'mask' && level === whole.level,
      );
      return own === undefined ? [] : [this.#curveRow(own, draw, whole)];
    });
  }

  #curveRow(level: LevelScores, draw: number | null, whole: LevelScores | null): Row {
    const values = [...level.scores.values()];
    const maximal = this.#level('maximal');
    const original = this.#level('original');
    return {
      ...this.#common,
      augmentation: level.augmentation,
      level: level.level,
      draw,
      words: level.words,
      ...meanColumns('pass_at_1', values, shareBounds),
      ...gap('to_maximal', level, maximal),
      ...gap('to_original', level, original),
      ...gap('to_level', whole === null ? undefined : level, whole ?? undefined),
      confidence: defaultLevel,
      interval_method: boundedMeanMethod,
      n: values.length,
      n_prompts: level.nPrompts,
      n_excluded: level.nExcluded,
      n_without_pragma: level.nWithoutPragma,
      own_check:
        level.augmentation !== 'original' &&
        level.augmentation !== 'minimal' &&
        this.#common['model'] === this.#settings.checker,
      reason: values.length === 0 ? 'no prompt of this level counts' : null,
    };
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
    const pairs = maximal === undefined || original === undefined ? [] : paired(original.scores, maximal.scores);
    return {
      ...this.#common,
      augmentation: curve,
      within: this.#settings.within,
      ...levelColumns('sufficient', levels, gapsTo(levels, maximal, tasks), this.#settings.within),
      ...levelColumns('reaches_original', levels, gapsTo(levels, original, tasks), 0),
      ...meanColumns('pass_at_1_maximal', [...(maximal?.scores.values() ?? [])], shareBounds),
      ...meanColumns('pass_at_1_original', [...(original?.scores.values() ?? [])], shareBounds),
      ...gap('maximal_to_original', maximal, original),
      maximal_to_original_p: signFlipTest(differencesOf(pairs), { seed: this.#seed('summary') }).p,
      confidence: defaultLevel,
      interval_method: `${boundedMeanMethod}; of a level the bounds of its gap`,
      n: tasks.length,
      n_excluded: new Set(this.#rows.map((row) => row['task_id'])).size - tasks.length,
      own_check: this.#common['model'] === this.#settings.checker,
      reason: tasks.length === 0 ? 'no task counts at every level' : null,
    };
  }

  /** One row per ordered pair of levels; all pairs of a model are one family of tests. */
  pairRows(): Row[] {
    const found = curveNames.flatMap((curve) => {
      const levels = curveOf(this.#levels, curve);
      return levels.flatMap((lower, place) => levels.slice(place + 1).map((upper) => ({ curve, lower, upper })));
    });
    const ends = ({ lower, upper }: { lower: LevelScores; upper: LevelScores }): string =>
      lower.level === null && upper.level === null ? 'ends' : '';
    // The pair of minimal and maximal is in every curve but tested only once.
    const pairs = found.filter(
      (pair, index) => ends(pair) === '' || found.findIndex((other) => ends(other) === 'ends') === index,
    );
    const family = pairs.length;
    const tests = pairs.map(({ curve, lower, upper }) => this.#tested(curve, lower, upper, family));
    const holm = holmAdjusted(tests.map(({ p }) => p));
    const bh = benjaminiHochberg(tests.map(({ p }) => p));
    return tests.map(({ row, p }, index) => ({
      ...row,
      p,
      p_holm: holm[index] ?? null,
      p_bh: bh[index] ?? null,
      family_size: family,
    }));
  }

  #tested(curve: Curve, lower: LevelScores, upper: LevelScores, family: number): { row: Row; p: number | null } {
    const pairs = paired(lower.scores, upper.scores);
    const differences = differencesOf(pairs);
    const seed = this.#seed('pairs', curve, levelName(lower), levelName(upper));
    const exact =
      lower.draws === 1 &&
      upper.draws === 1 &&
      pairs.every((pair) => pair.every((score) => score === 0 || score === 1));
    const count = (before: number, after: number): number =>
      pairs.filter((pair) => pair[0] === before && pair[1] === after).length;
    const row = {
      ...this.#common,
      augmentation: curve,
      lower: levelName(lower),
      upper: levelName(upper),
      ...pairColumns(['lower_pass_at_1', 'upper_pass_at_1', 'difference'], pairs),
      violates: pairs.length === 0 ? null : (mean(differences) as number) < -1e-9,
      test: exact ? 'mcnemar' : 'sign flip',
      confidence: defaultLevel,
      interval_method: boundedMeanMethod,
      n: pairs.length,
    };
    if (pairs.length === 0) return { row, p: null };
    const p = exact
      ? mcnemarP(count(1, 0), count(0, 1))
      : signFlipTest(differences, { seed, draws: swapsFor(family, alpha) }).p;
    return { row, p };
  }
}

/** Mean of one level's scores minus the other's, over tasks with both. */
function gap(name: string, level: LevelScores | undefined, other: LevelScores | undefined): Row {
  const pairs = level === undefined || other === undefined || level === other ? [] : paired(other.scores, level.scores);
  return meanColumns(name, differencesOf(pairs), differenceBounds);
}

/** The gap between each level and the bar, over the same tasks; empty without a bar. */
const gapsTo = (levels: readonly LevelScores[], bar: LevelScores | undefined, tasks: readonly string[]): LevelGaps[] =>
  bar === undefined
    ? []
    : levels.map((level) => ({
        isBar: level === bar,
        gaps: tasks.map((task) => (level.scores.get(task) as number) - (bar.scores.get(task) as number)),
      }));

function levelColumns(name: string, levels: readonly LevelScores[], gaps: readonly LevelGaps[], within: number): Row {
  const found = sufficientLevel(gaps, within);
  const at = (place: number | undefined): string | null =>
    place === undefined ? null : place === levels.length ? 'none' : levelName(levels[place] as LevelScores);
  return { [name]: at(found?.level), [`${name}_lo`]: at(found?.lo), [`${name}_hi`]: at(found?.hi) };
}

/** Tasks with a score at every level, in the order of the first. */
function commonTasks(levels: readonly LevelScores[]): string[] {
  const [first, ...others] = levels;
  return [...(first?.scores.keys() ?? [])].filter((task) => others.every(({ scores }) => scores.has(task)));
}
