/** PartialOrderEval, section 5: themes of the summaries; how often, how surely, and what passing goes with. One study at a time. */
import type { Row } from '../../schemas/tables.ts';
import type { Taxonomy } from '../../schemas/taxonomy.ts';
import { seedOf } from '../random.ts';
import { clusterBootstrap, defaultResamples } from '../statistics/bootstrap.ts';
import { cohenKappa } from '../statistics/cohen-kappa.ts';
import { defaultLevel } from '../statistics/interval.ts';
import { krippendorffAlpha } from '../statistics/krippendorff-alpha.ts';
import { textOf } from './row-order.ts';

/** A summary with what each labelling run found; null for a run whose answer could not be read. */
export interface LabelledPrompt {
  readonly taskId: string;
  readonly variant: string;
  readonly level: number;
  readonly runs: readonly (ReadonlySet<string> | null)[];
  /** A simulated model labelled it. */
  readonly simulated: boolean;
}

export interface ThemeTables {
  readonly theme_counts: readonly Row[];
  readonly theme_agreement: readonly Row[];
  readonly theme_passing: readonly Row[];
}

export interface ThemeSettings {
  readonly seed: number;
  readonly taxonomy: Taxonomy;
  /** Default 2,000. */
  readonly resamples?: number;
}

/** Labelling runs, as labeller and pass, in order. */
export const runsOf = (labels: readonly Row[]): string[] =>
  [...new Set(labels.map((row) => `${textOf(row, 'labeller')}, pass ${String(row['pass'])}`))].toSorted();

/** Summaries with their labels. @param labels rows of table `labels` @param levels level by variant */
export function labelledPrompts(labels: readonly Row[], levels: ReadonlyMap<string, number>): LabelledPrompt[] {
  const runs = runsOf(labels);
  const prompts = Map.groupBy(labels, (row) => JSON.stringify([row['task_id'], row['variant']]));
  return [...prompts.values()].flatMap((rows) => {
    const first = rows[0] as Row;
    const level = levels.get(textOf(first, 'variant'));
    const found = runs.map((run) => {
      const own = rows.filter((row) => `${textOf(row, 'labeller')}, pass ${String(row['pass'])}` === run);
      if (own.length === 0 || own.some((row) => row['reason'] !== null)) return null;
      return new Set(own.flatMap((row) => (row['theme'] === null ? [] : [textOf(row, 'theme')])));
    });
    const simulated = rows.some((row) => row['simulated'] === true);
    const own = { taskId: textOf(first, 'task_id'), variant: textOf(first, 'variant'), runs: found, simulated };
    return level === undefined ? [] : [{ ...own, level }];
  });
}

/**
 * @param key the study's columns: run, study, benchmark, language
 * @param passes rows of `prompt_passes` of the study's summaries
 */
export function themeTables(key: Row, prompts: readonly LabelledPrompt[], passes: readonly Row[], settings: ThemeSettings): ThemeTables {
  const themes = settings.taxonomy.categories.flatMap(({ name: category, themes }) =>
    themes.map(({ id, name }) => ({ id, name, category })),
  );
  const common = { ...key, taxonomy: settings.taxonomy.version };
  return {
    theme_counts: themes.flatMap((theme) => countRows(common, theme, prompts)),
    theme_agreement: themes.map((theme) => ({ ...common, theme: theme.id, name: theme.name, ...agreementOf(prompts, theme.id) })),
    theme_passing: passingRows(common, themes, prompts, passes, settings),
  };
}

interface NamedTheme {
  readonly id: string;
  readonly name: string;
  readonly category: string;
}

/** Share of the labelling runs that found the theme; null where no run's answer could be read. */
function shareOf({ runs }: LabelledPrompt, theme: string): number | null {
  const read = runs.filter((found) => found !== null);
  return read.length === 0 ? null : read.filter((found) => found.has(theme)).length / read.length;
}

/** By word limit. A prompt counts by the share of the runs that found the theme in it. */
function countRows(common: Row, { id, name, category }: NamedTheme, prompts: readonly LabelledPrompt[]): Row[] {
  const levels = [...new Set(prompts.map(({ level }) => level))].toSorted((a, b) => a - b);
  return levels.map((level) => {
    const shares = prompts.filter((prompt) => prompt.level === level).flatMap((prompt) => shareOf(prompt, id) ?? []);
    const n = shares.reduce((sum, share) => sum + share, 0);
    return {
      ...common,
      theme: id,
      name,
      category,
      level,
      n_prompts: shares.length,
      n_with: n,
      share: shares.length === 0 ? null : n / shares.length,
      simulated: prompts.some(({ simulated }) => simulated),
    };
  });
}

function agreementOf(prompts: readonly LabelledPrompt[], theme: string): Row {
  const units = prompts.map(({ runs }) => runs.map((found) => (found === null ? null : found.has(theme))));
  const pairs = units.flatMap(([first = null, second = null]): [boolean, boolean][] =>
    first === null || second === null ? [] : [[first, second]],
  );
  const alpha = krippendorffAlpha(units);
  const all = units.flat().filter((value) => value !== null);
  const reason = units.every((unit) => unit.filter((value) => value !== null).length < 2)
    ? 'no summary was labelled twice'
    : all.every(Boolean)
      ? 'every run found it in every summary'
      : 'no run found it';
  const simulated = prompts.some((prompt) => prompt.simulated);
  return { alpha, kappa: cohenKappa(pairs), n: pairs.length, reason: alpha === null ? reason : null, simulated };
}

/** A theme counts as there when more than half of the runs found it. */
const hasTheme = (prompt: LabelledPrompt, theme: string): boolean | null => {
  const share = shareOf(prompt, theme);
  return share === null ? null : share > 0.5;
};

interface Observation {
  readonly level: number;
  readonly has: boolean;
  readonly passed: boolean;
}

function passingRows(
  common: Row,
  themes: readonly NamedTheme[],
  prompts: readonly LabelledPrompt[],
  passes: readonly Row[],
  { seed, resamples }: ThemeSettings,
): Row[] {
  const byPrompt = new Map(prompts.map((prompt) => [JSON.stringify([prompt.taskId, prompt.variant]), prompt]));
  const models = Map.groupBy(passes, (row) => textOf(row, 'model'));
  return [...models].flatMap(([model, rows]) =>
    themes.map(({ id, name }) => {
      const tasks = Map.groupBy(
        rows.filter((row) => row['passed'] !== null),
        (row) => textOf(row, 'task_id'),
      );
      const clusters = [...tasks.values()].map((own) => own.flatMap((row) => observationOf(row, byPrompt, id) ?? []));
      const all = clusters.flat();
      const levels = [...new Set(all.map(({ level }) => level))];
      const counted = clusters.map((own) => countsOf(own, levels));
      const difference = withinLevels(counted);
      const options = {
        seed: seedOf('themes', seed, textOf(common, 'study'), model, id),
        ...(resamples === undefined ? {} : { resamples }),
      };
      const interval = difference === null ? null : clusterBootstrap(counted, withinLevels, options).interval;
      const rate = (has: boolean): number | null => passRate(all.filter((one) => one.has === has));
      return {
        ...{ ...common, model, theme: id, name },
        ...{ pass_with: rate(true), pass_without: rate(false), difference },
        ...{ difference_lo: interval?.lo ?? null, difference_hi: interval?.hi ?? null },
        ...{ n_with: all.filter(({ has }) => has).length, n_without: all.filter(({ has }) => !has).length },
        confidence: defaultLevel,
        interval_method: `percentile bootstrap over tasks, ${resamples ?? defaultResamples} resamples`,
        reason: difference === null ? 'no word limit has summaries with and without it' : null,
        simulated: [...rows.map((row) => row['simulated'] === true), ...prompts.map((one) => one.simulated)].some(Boolean),
      };
    }),
  );
}

function observationOf(row: Row, byPrompt: ReadonlyMap<string, LabelledPrompt>, theme: string): Observation | null {
  const prompt = byPrompt.get(JSON.stringify([row['task_id'], row['variant']]));
  const has = prompt === undefined ? null : hasTheme(prompt, theme);
  return prompt === undefined || has === null ? null : { level: prompt.level, has, passed: row['passed'] === true };
}

const passRate = (some: readonly Observation[]): number | null =>
  some.length === 0 ? null : some.filter(({ passed }) => passed).length / some.length;

/** Of one task at each level in turn: prompts with the theme, those of them that passed, prompts without it, those of them that passed. */
type Counts = Float64Array;

function countsOf(observations: readonly Observation[], levels: readonly number[]): Counts {
  const counts = new Float64Array(4 * levels.length);
  for (const { level, has, passed } of observations) {
    const place = 4 * levels.indexOf(level) + (has ? 0 : 2);
    counts[place] = (counts[place] ?? 0) + 1;
    if (passed) counts[place + 1] = (counts[place + 1] ?? 0) + 1;
  }
  return counts;
}

/**
 * Pass rate with the theme minus without it at equal word limits: the differences within limits, weighted by n_with n_without / n as in a regression
 * with the limits held fixed.
 */
function withinLevels(tasks: readonly Counts[]): number | null {
  const total = new Float64Array(tasks[0]?.length ?? 0);
  for (const counts of tasks)
    for (let place = 0; place < total.length; place += 1) total[place] = (total[place] ?? 0) + (counts[place] ?? 0);
  let [sum, weights] = [0, 0];
  for (let place = 0; place < total.length; place += 4) {
    const [nWith = 0, passedWith = 0, nWithout = 0, passedWithout = 0] = total.subarray(place, place + 4);
    if (nWith === 0 || nWithout === 0) continue;
    const weight = (nWith * nWithout) / (nWith + nWithout);
    sum += weight * (passedWith / nWith - passedWithout / nWithout);
    weights += weight;
  }
  return weights === 0 ? null : sum / weights;
}
