/**
 * PartialOrderEval, section 5: themes of the summaries: counts, agreement of labels, and association with passing. One
 * study at a time.
 */
import type { Row } from '../../../schemas/tables.ts';
import type { Taxonomy } from '../../../schemas/taxonomy.ts';
import { boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { defaultLevel, type Interval } from '../../../domain/statistics/intervals/interval.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import {
  clusteredColumns,
  type Clustered,
  intervalOfClusters,
  shareBounds,
} from '../../../domain/metrics/score-intervals.ts';
import { labelRunOf, labelRuns } from '../../labels/person-agreement.ts';
import { disagreementRatioMethod } from '../../../domain/statistics/intervals/disagreement-ratio.ts';
import { agreementColumns } from './theme-agreement.ts';

/** A summary with the themes that each labelling run found; null for a run whose answer could not be read. */
export interface LabelledPrompt {
  readonly taskId: string;
  readonly variant: string;
  readonly level: number;
  readonly runs: readonly (ReadonlySet<string> | null)[];
  /** Whether a simulated model labelled it. */
  readonly simulated: boolean;
}

export interface ThemeTables {
  readonly theme_counts: readonly Row[];
  readonly theme_agreement: readonly Row[];
}

/** Summaries with their labels. @param labels rows of table `labels` @param levels level by variant */
export function labelledPrompts(labels: readonly Row[], levels: ReadonlyMap<string, number>): LabelledPrompt[] {
  const runs = labelRuns(labels);
  const prompts = Map.groupBy(labels, (row) => JSON.stringify([row['task_id'], row['variant']]));
  return [...prompts.values()].flatMap((rows) => {
    const first = rows[0] as Row;
    const level = levels.get(textOf(first, 'variant'));
    const found = runs.map((run) => {
      const own = rows.filter((row) => labelRunOf(row) === run);
      if (own.length === 0 || own.some((row) => row['reason'] !== null)) return null;
      return new Set(own.flatMap((row) => (row['theme'] === null ? [] : [textOf(row, 'theme')])));
    });
    const simulated = rows.some((row) => row['simulated'] === true);
    const own = { taskId: textOf(first, 'task_id'), variant: textOf(first, 'variant'), runs: found, simulated };
    return level === undefined ? [] : [{ ...own, level }];
  });
}

/** @param key the study's columns: run, study, benchmark, language */
export function themeTables(key: Row, prompts: readonly LabelledPrompt[], taxonomy: Taxonomy): ThemeTables {
  const themes = namedThemes(taxonomy);
  const common = { ...key, taxonomy: taxonomy.version };
  return {
    theme_counts: themes.flatMap((theme) => countRows(common, theme, prompts)),
    theme_agreement: themes.map((theme) => ({
      ...common,
      theme: theme.id,
      name: theme.name,
      ...agreementOf(prompts, theme.id),
    })),
  };
}

const namedThemes = (taxonomy: Taxonomy): NamedTheme[] =>
  taxonomy.categories.flatMap(({ name: category, themes }) => themes.map(({ id, name }) => ({ id, name, category })));

interface NamedTheme {
  readonly id: string;
  readonly name: string;
  readonly category: string;
}

/** Share of the labelling runs that found the theme; null if no run's answer could be read. */
function shareOf({ runs }: LabelledPrompt, theme: string): number | null {
  const read = runs.filter((found) => found !== null);
  return read.length === 0 ? null : read.filter((found) => found.has(theme)).length / read.length;
}

function sharesOf(prompt: LabelledPrompt, theme: string): { readonly taskId: string; readonly share: number }[] {
  const share = shareOf(prompt, theme);
  return share === null ? [] : [{ taskId: prompt.taskId, share }];
}

/** One row per word limit. A prompt counts with the share of the runs that found the theme in it. */
function countRows(common: Row, { id, name, category }: NamedTheme, prompts: readonly LabelledPrompt[]): Row[] {
  const levels = [...new Set(prompts.map(({ level }) => level))].toSorted((a, b) => a - b);
  return levels.map((level) => {
    const found = prompts.filter((prompt) => prompt.level === level).flatMap((prompt) => sharesOf(prompt, id));
    const n = found.reduce((sum, { share }) => sum + share, 0);
    return {
      ...common,
      theme: id,
      name,
      category,
      level,
      n_prompts: found.length,
      n_with: n,
      ...clusteredColumns(
        'share',
        found.map(({ taskId, share }) => ({ cluster: taskId, value: share })),
        shareBounds,
      ),
      n_tasks: new Set(found.map(({ taskId }) => taskId)).size,
      confidence: defaultLevel,
      interval_method: boundedMeanMethod,
      simulated: prompts.some(({ simulated }) => simulated),
    };
  });
}

const agreementOf = (prompts: readonly LabelledPrompt[], theme: string): Row => ({
  ...agreementColumns(
    prompts.map(({ taskId, runs }) => ({
      taskId,
      found: runs.map((found) => (found === null ? null : found.has(theme))),
    })),
  ),
  confidence: defaultLevel,
  interval_method: disagreementRatioMethod,
  simulated: prompts.some(({ simulated }) => simulated),
});

/** A prompt has a theme if more than half of the runs found it; null if no answer could be read. */
const hasTheme = (prompt: LabelledPrompt, theme: string): boolean | null => {
  const share = shareOf(prompt, theme);
  return share === null ? null : share > 0.5;
};

interface Observation {
  readonly taskId: string;
  readonly level: number;
  readonly has: boolean;
  readonly passed: boolean;
}

/**
 * Rows of `theme_passing` of some models.
 * @param key the study's columns: run, study, benchmark, language
 * @param passes rows of `prompt_passes` of the study's summaries: all those of these models
 */
export function themePassingRows(
  key: Row,
  prompts: readonly LabelledPrompt[],
  passes: readonly Row[],
  taxonomy: Taxonomy,
): Row[] {
  const themes = namedThemes(taxonomy);
  const common = { ...key, taxonomy: taxonomy.version };
  const byPrompt = new Map(prompts.map((prompt) => [JSON.stringify([prompt.taskId, prompt.variant]), prompt]));
  const models = Map.groupBy(passes, (row) => textOf(row, 'model'));
  return [...models].flatMap(([model, rows]) =>
    themes.map(({ id, name }) => {
      const all = rows.filter((row) => row['passed'] !== null).flatMap((row) => observationOf(row, byPrompt, id) ?? []);
      const [having, lacking] = [true, false].map((has) => all.filter((one) => one.has === has).map(passedOf)) as [
        Clustered[],
        Clustered[],
      ];
      const difference = withinLevels(all);
      const interval = difference === null ? null : differenceInterval(difference, having, lacking);
      return {
        ...{ ...common, model, theme: id, name },
        ...clusteredColumns('pass_with', having, shareBounds),
        ...clusteredColumns('pass_without', lacking, shareBounds),
        ...{ difference, difference_lo: interval?.lo ?? null, difference_hi: interval?.hi ?? null },
        ...{ n_with: having.length, n_without: lacking.length, n_tasks: new Set(all.map(({ taskId }) => taskId)).size },
        confidence: defaultLevel,
        interval_method: `${boundedMeanMethod}; of the difference by the distances of the two rates' ends (MOVER)`,
        reason: difference === null ? 'no word limit has summaries with and without it' : null,
        simulated: [...rows.map((row) => row['simulated'] === true), ...prompts.map((one) => one.simulated)].some(
          Boolean,
        ),
      };
    }),
  );
}

function observationOf(row: Row, byPrompt: ReadonlyMap<string, LabelledPrompt>, theme: string): Observation | null {
  const prompt = byPrompt.get(JSON.stringify([row['task_id'], row['variant']]));
  const has = prompt === undefined ? null : hasTheme(prompt, theme);
  return prompt === undefined || has === null
    ? null
    : { taskId: prompt.taskId, level: prompt.level, has, passed: row['passed'] === true };
}

const passedOf = ({ taskId, passed }: Observation): Clustered => ({ cluster: taskId, value: Number(passed) });

/**
 * Pass rate with the theme minus without it at equal word limits: the differences within limits, weighted by n_with
 * n_without / n as in a regression with the limits held fixed.
 */
function withinLevels(observations: readonly Observation[]): number | null {
  let [sum, weights] = [0, 0];
  for (const own of Map.groupBy(observations, ({ level }) => level).values()) {
    const rate = (has: boolean): readonly [n: number, passed: number] => {
      const some = own.filter((one) => one.has === has);
      return [some.length, some.filter(({ passed }) => passed).length];
    };
    const [[nWith, passedWith], [nWithout, passedWithout]] = [rate(true), rate(false)];
    if (nWith === 0 || nWithout === 0) continue;
    const weight = (nWith * nWithout) / (nWith + nWithout);
    sum += weight * (passedWith / nWith - passedWithout / nWithout);
    weights += weight;
  }
  return weights === 0 ? null : sum / weights;
}

/**
 * Combines the two rates' intervals as if the rates were independent (MOVER, Zou and Donner 2008). Rates of one task
 * are positively correlated, which can only make the true interval narrower.
 */
function differenceInterval(
  difference: number,
  having: readonly Clustered[],
  lacking: readonly Clustered[],
): Interval | null {
  const [first, second] = [intervalOfClusters(having, shareBounds), intervalOfClusters(lacking, shareBounds)];
  if (first === null || second === null) return null;
  const [p, q] = [having, lacking].map((some) => some.reduce((sum, { value }) => sum + value, 0) / some.length) as [
    number,
    number,
  ];
  return {
    lo: Math.max(-1, difference - Math.hypot(p - first.lo, second.hi - q)),
    hi: Math.min(1, difference + Math.hypot(first.hi - p, q - second.lo)),
  };
}
