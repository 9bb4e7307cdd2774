/** Which rows of `cards` a page shows: one for each model and metric, since a metric may be of several studies. */
import type { CardMetric } from '../../domain/card/card-metric.ts';
import { type CardTrait, cardTraits } from '../../domain/card/card-metric.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { type Repeats, repeatsAmong, type StudyRepeats } from './repeated-prompts.ts';

/** One metric in the study that shows it for the most models, on the most different tasks. */
export interface MainMetric {
  readonly metric: CardMetric;
  readonly study: string;
  readonly condition: string;
  /** The suite of a benchmark with several; of a solved task `all suites`; null if there is only one. */
  readonly suite: string | null;
  readonly tasks: number;
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
  repeated: readonly StudyRepeats[] = [],
): MainMetric[] {
  const valued = Map.groupBy(
    cards.filter((row) => row['estimate'] !== null),
    (row) => textOf(row, 'metric'),
  );
  const found = metrics.flatMap((metric) => mainMetric(metric, valued.get(metric.name) ?? [], cards, repeated) ?? []);
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
  repeated: readonly StudyRepeats[],
): MainMetric | null {
  const groups = [...Map.groupBy(rows, (row) => JSON.stringify([row['study'], row['condition']])).values()];
  // A model has fewer where some of its answers could not be judged.
  const tasksOf = (own: readonly Row[]): number => Math.max(0, ...own.map((row) => numberOf(row, 'n_tasks')));
  const ranksOf = (own: readonly Row[]): number => own.filter((row) => row['rank'] !== null).length;
  const repeatsOf = (own: readonly Row[]): Repeats | null =>
    repeatsAmong(repeated, own[0] === undefined ? '' : textOf(own[0], 'study'), tasksOf(own));
  const differentOf = (own: readonly Row[]): number => tasksOf(own) - (repeatsOf(own)?.repeated ?? 0);
  const sorted = groups.toSorted(
    (a, b) =>
      b.length - a.length || differentOf(b) - differentOf(a) || tasksOf(b) - tasksOf(a) || ranksOf(b) - ranksOf(a),
  );
  const [most] = sorted;
  const first = most?.[0];
  if (most === undefined || first === undefined) return null;
  const suite = suiteOf(first, cards);
  return {
    metric,
    ...{ study: textOf(first, 'study'), condition: textOf(first, 'condition'), tasks: tasksOf(most), suite },
    repeats: repeatsOf(most),
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
