/** Which rows of `cards` a page shows: one for each model and metric, since a metric may be of several studies. */
import type { CardMetric } from '../../domain/card/card-metric.ts';
import { type CardTrait, cardTraits } from '../../domain/card/card-metric.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { KnownStudies } from './card-source.ts';
import { type Repeats, repeatsAmong } from './repeated-prompts.ts';
import { promptsOf, studyAnswers } from './study-answers.ts';

/** One metric in the study that shows it for the most models, of these with the most tasks. */
export interface MainMetric {
  readonly metric: CardMetric;
  readonly study: string;
  readonly condition: string;
  /** The suite of a benchmark with several; of a solved task `all suites`; null if there is only one. */
  readonly suite: string | null;
  readonly tasks: number;
  /** Of a pass@1, which of its study's prompts were asked, if others are compared too; else null. */
  readonly prompts: string | null;
  /** Null if none of these tasks must repeat another one's prompt. */
  readonly repeats: Repeats | null;
  /** By model, as `modelKey` names it. */
  readonly rows: ReadonlyMap<string, Row>;
  /** The rows of the same study on other suites than the one that is shown. */
  readonly otherSuites: readonly Row[];
  /** The rows of other studies with this metric, study by study. */
  readonly elsewhere: ReadonlyMap<string, readonly Row[]>;
}

/** Letters and ranks of another study or condition are of other comparisons. */
export const isOfMain = ({ study, condition }: MainMetric, row: Row): boolean =>
  row['study'] === study && row['condition'] === condition;

/** `study small, 24 tasks` of a value from another study than its column's; null of any other. */
export const otherStudyText = ({ study }: MainMetric, row: Row): string | null =>
  row['study'] === study ? null : `study ${textOf(row, 'study')}, ${counted(numberOf(row, 'n_tasks'), 'task')}`;

/** The rows of `models` that have a rank in the comparison that is shown, in that order. */
export const rankedRows = (main: MainMetric, models: readonly Row[]): Row[] =>
  models.flatMap((model) => {
    const row = main.rows.get(modelKey(model));
    return row === undefined || row['rank'] === null || !isOfMain(main, row) ? [] : [row];
  });

/** In the order of traits; metrics without any value are omitted. */
export function mainMetrics(
  cards: readonly Row[],
  metrics: readonly CardMetric[],
  known: KnownStudies = {},
): MainMetric[] {
  const valued = Map.groupBy(
    cards.filter((row) => row['estimate'] !== null),
    (row) => textOf(row, 'metric'),
  );
  const found = metrics.flatMap((metric) => mainMetric(metric, valued.get(metric.name) ?? [], cards, known) ?? []);
  return found.toSorted((a, b) => cardTraits.indexOf(a.metric.trait) - cardTraits.indexOf(b.metric.trait));
}

/**
 * Models that the study lacks in this condition have the row of another: a new version is compared with its own older
 * one. A row of another study says so where it is shown.
 */
function mainMetric(
  metric: CardMetric,
  rows: readonly Row[],
  cards: readonly Row[],
  known: KnownStudies,
): MainMetric | null {
  const sorted = mostShownFirst(rows, known);
  const [most] = sorted;
  const [first] = most ?? [];
  if (most === undefined || first === undefined) return null;
  const suite = suiteOf(first, cards);
  return {
    metric,
    ...{ study: textOf(first, 'study'), condition: textOf(first, 'condition'), tasks: tasksOf(most), suite },
    ...{ prompts: promptsOf(first, known.answers), repeats: repeatsOf(most, known) },
    rows: new Map(sorted.toReversed().flatMap((own) => own.map((row) => [modelKey(row), row] as const))),
    otherSuites: rows.filter(
      (row) => row['study'] === first['study'] && suite !== null && hasSuite(row) && namedSuite(row) !== suite,
    ),
    elsewhere: Map.groupBy(
      rows.filter((row) => row['study'] !== first['study']),
      (row) => textOf(row, 'study'),
    ),
  };
}

type Rows = readonly [Row, ...Row[]];

/**
 * The rows by study and condition: those of the most models first, of these those with the most tasks with different
 * prompts, since more answers to a task say little of other tasks; then the most answers of a model, then in the order
 * of the spec.
 */
function mostShownFirst(rows: readonly Row[], known: KnownStudies): Rows[] {
  const { answers = [] } = known;
  const groups = Map.groupBy(rows, (row) => JSON.stringify([row['study'], row['condition']]));
  const sizesOf = (own: Rows): readonly number[] => {
    const [tasks, asked] = [tasksOf(own), studyAnswers(own[0], answers)];
    const different = tasks - (repeatsOf(own, known)?.repeated ?? 0);
    const perTask = asked === undefined || tasks === 0 ? 1 : asked.perModel / tasks;
    const ranks = own.filter((row) => row['rank'] !== null).length;
    const place = asked === undefined ? 0 : answers.indexOf(asked);
    return [own.length, different, perTask * different, tasks, ranks, -place];
  };
  return [...groups.values()]
    .flatMap(([first, ...others]): Rows[] => (first === undefined ? [] : [[first, ...others]]))
    .map((own) => ({ own, sizes: sizesOf(own) }))
    .toSorted((a, b) => a.sizes.map((size, place) => (b.sizes[place] ?? 0) - size).find((more) => more !== 0) ?? 0)
    .map(({ own }) => own);
}

/** A model has a value of fewer where some of its answers could not be judged. Earlier programs stored only those. */
const tasksOf = (own: Rows): number =>
  Math.max(...own.map((row) => numberOrNull(row, 'n_shared_tasks') ?? numberOf(row, 'n_tasks')));

const repeatsOf = (own: Rows, { repeated = [] }: KnownStudies): Repeats | null =>
  repeatsAmong(repeated, textOf(own[0], 'study'), tasksOf(own));

/** Traits whose condition begins with a suite. */
const suiteTraits: readonly unknown[] = ['correctness', 'requirements', 'versions'] satisfies CardTrait[];

export const hasSuite = (row: Row): boolean => suiteTraits.includes(row['trait']);
export const namedSuite = (row: Row): string => textOf(row, 'condition').split(', against ')[0] as string;

/** Whether another model is shown to be better in the comparison of this row. */
export const isBehind = (row: Row): boolean => row['rank'] !== null && numberOf(row, 'n_better') > 0;

/** The suite that a row is about, if its study has pass@1 on several. */
export function suiteOf(row: Row, cards: readonly Row[]): string | null {
  const isOther = (one: Row): boolean => one['study'] === row['study'] && one['trait'] === 'correctness';
  if (new Set(cards.filter(isOther).map((one) => one['condition'])).size < 2) return null;
  // A solved task passes all; times are of all tasks.
  if (row['trait'] === 'cost') return row['metric'] === 'usd_per_solved_task' ? 'all suites' : null;
  return hasSuite(row) ? namedSuite(row) : null;
}

export const modelKey = (row: Row): string => JSON.stringify([row['run'], row['model']]);
