/** A comparison as tables: an overview of all metrics, then for each metric its models, its pairs and its tasks. */
import type { Comparison } from '../../domain/compare/comparison.ts';
import { counted } from '../../domain/counted.ts';
import { conditionName } from '../../domain/gate/evaluate.ts';
import { gateMetric } from '../../domain/gate/metrics.ts';
import { unitHead } from '../../domain/gate/numbers.ts';
import { cardSection } from '../card/card-section.ts';
import type { Cards } from '../card/card-source.ts';
import { count } from '../report/cells.ts';
import { countText, levelText } from '../report/format.ts';
import { type DataTable, note, type Part, type Section, section } from '../report/part.ts';
import { flipTables } from './flip-tables.ts';
import { modelCell, modelsTable } from './models-table.ts';
import { pairsTable } from './pairs-table.ts';

/** Sections of one page, Markdown document or CSV file. @param cards null if they were not asked for */
export function compareParts(
  comparisons: readonly Comparison[],
  notes: readonly string[],
  cards: Cards | null,
): Section[] {
  return [
    section(undefined, [overviewTable(comparisons), ...notes.map(note)]),
    ...(cards === null ? [] : [cardsPart(cards, comparisons)]),
    ...comparisons.map((comparison) => section(titleOf(comparison), metricParts(comparison))),
    section('How to read this', howToRead(comparisons).map(note)),
  ];
}

/** Models have the colours and names that they have in the first comparison. */
function cardsPart(cards: Cards, comparisons: readonly Comparison[]): Section {
  const models = comparisons[0]?.models ?? [];
  return cardSection(cards, (run, id) => {
    const index = models.findIndex((model) => model.run === run && model.model === id);
    return index < 0 ? { text: id } : modelCell(models, index);
  });
}

/** The tables of one metric, the most important first. */
export const metricTables = (comparison: Comparison): DataTable[] => [
  modelsTable(comparison),
  pairsTable(comparison),
  ...flipTables(comparison),
];

const metricParts = (comparison: Comparison): Part[] => [note(extentText(comparison)), ...metricTables(comparison)];

/** `loops: asl_unweighted`, `update: pass_at_1 (base), readability, variant 3`. */
export const titleOf = (comparison: Comparison): string =>
  `${comparison.study}: ${named(comparison, comparison.subject.metric)}`;

/** Without the study, for people who do not know the metric by its name in policies: `pass@1 (base), readability`. */
export const plainTitleOf = (comparison: Comparison): string =>
  named(comparison, gateMetric(comparison.subject.metric).title);

function named({ subject, variant }: Comparison, metric: string): string {
  const suite = subject.suite === null ? '' : ` (${subject.suite})`;
  const condition = conditionName(subject) === 'function-only' ? '' : `, ${conditionName(subject)}`;
  return `${metric}${suite}${condition}${variant === null ? '' : `, variant ${variant}`}`;
}

/** `4,095 pairs of 91 models on 378 tasks: 3,012 differ (Holm), 3,301 by Benjamini-Hochberg, 1,083 inconclusive`. */
export function extentText(comparison: Comparison): string {
  const { differ, differBh, same, inconclusive, pairs } = countsOf(comparison);
  const within = same === 0 ? '' : `, ${countText(same)} within the margin`;
  return (
    `${counted(pairs, 'pair')} of ${comparison.models.length} models on ` +
    `${counted(comparison.taskIds.length, 'shared task')}: ${countText(differ)} differ (Holm; Benjamini-Hochberg: ` +
    `${countText(differBh)})${within}, ${countText(inconclusive)} INCONCLUSIVE.`
  );
}

function countsOf({ pairs, options: { alpha } }: Comparison) {
  const verdicts = pairs.map(({ verdict }) => verdict);
  return {
    pairs: pairs.length,
    differ: verdicts.filter((verdict) => verdict === 'better' || verdict === 'worse').length,
    differBh: pairs.filter(({ pBh, verdict }) => pBh <= alpha && verdict !== 'no_change').length,
    same: verdicts.filter((verdict) => verdict === 'no_change').length,
    inconclusive: verdicts.filter((verdict) => verdict === 'inconclusive').length,
  };
}

export function overviewTable(comparisons: readonly Comparison[]): DataTable {
  return {
    words: 2,
    heads: [
      'Metric',
      { text: 'Unit', aside: true },
      'Models',
      'Shared tasks',
      'Pairs',
      'Differ (Holm)',
      'Differ (BH)',
      'Within margin',
      'Inconclusive',
    ],
    rows: comparisons.map((comparison) => {
      const { pairs, differ, differBh, same, inconclusive } = countsOf(comparison);
      return [
        titleOf(comparison),
        unitHead(gateMetric(comparison.subject.metric).unit),
        count(comparison.models.length),
        count(comparison.taskIds.length),
        ...[pairs, differ, differBh, same, inconclusive].map(count),
      ];
    }),
  };
}

function howToRead(comparisons: readonly Comparison[]): string[] {
  const level = levelText(1 - (comparisons[0]?.options.alpha ?? 0));
  return [
    'All models are compared on the tasks that all of them have; a task is one observation, whatever its number of ' +
      'answers and variants.',
    `Intervals of differences are Gaffke's bounds at ${level}, pair by pair. p is McNemar's exact test where a task ` +
      'either passes or fails, else a sign-flip permutation test; Holm and BH adjust it for all pairs of the metric. ' +
      'The least sufficient detail belongs to all tasks together: its p is the smallest chance of an error at which ' +
      'the bounds of the two levels do not overlap.',
    `A verdict claims a difference only if Holm's p allows it: with ${level} probability no such claim in the metric ` +
      'is wrong. INCONCLUSIVE means that these tasks cannot tell, not that the models are equal.',
    'Detectable: the smallest difference that is detected in 80 % of cases on these tasks, at the strictest step ' +
      'of Holm; a dash where too few tasks change to say. Tasks needed: how many would detect a difference of the ' +
      'observed size that often.',
    `Posterior: the median rank by a hierarchical model of all means, with the ranks that this model has with ` +
      `${level} probability. It draws chance leaders back to the others, and holds for one model at a time. P(best): ` +
      'its probability of being the best of these models.',
    `Rank intervals hold for all models together (${level}): tasks are resampled for all models at once. Two models ` +
      'share a letter exactly if no difference between them was found.',
  ];
}
