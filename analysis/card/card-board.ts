/** The board of all models over all studies: one row per model, one column per metric. */
import { titleWithUnit } from '../../domain/card/card-metric.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { missing } from '../report/format.ts';
import type { DataCell, DataTable, Head } from '../report/part.ts';
import type { Evidence, ModelCell } from './card-cells.ts';
import { rangeText, valueText } from './card-text.ts';
import { isOfMain, type MainMetric, modelKey, otherStudyText } from './main-entries.ts';
import { briefRepeats } from './repeated-prompts.ts';
import { type Axis, axisOf, standingBar, standingMarks } from './standing-bar.ts';
import { standingText } from './standing-text.ts';

/** Boards of more models name only as many at the top and at the bottom. */
const mostNamed = 12;
const named = 5;

export function boardTable(
  shown: readonly MainMetric[],
  models: readonly Row[],
  modelCell: ModelCell,
  evidence?: Evidence,
): DataTable {
  const axes = shown.map(axisOf);
  const cellOf = (main: MainMetric, row: Row | undefined, place: number, color: string): DataCell => {
    if (row === undefined) return { text: missing, value: null };
    const cell = valueCell(main, row, axes[place] as Axis, color);
    const link = evidence?.(row);
    return link === undefined ? cell : { ...cell, link };
  };
  return {
    look: 'board',
    words: 1,
    ...(models.length > mostNamed ? { named } : {}),
    heads: ['Model', ...shown.map((main, place) => ({ ...headOf(main), ...scaleOf(main, axes[place] as Axis) }))],
    rows: models.map((row) => {
      const name = modelCell(textOf(row, 'run'), textOf(row, 'model'));
      const color = name.model?.color ?? 'var(--text)';
      return [name, ...shown.map((main, place) => cellOf(main, main.rows.get(modelKey(row)), place, color))];
    }),
  };
}

function headOf({ metric, study, condition, suite, tasks, prompts, repeats, elsewhere }: MainMetric): Head {
  const where = [study, ...(condition === 'all' ? [] : [condition])].join(', ');
  return {
    text: titleWithUnit(metric),
    under: [
      counted(tasks, 'task'),
      ...(repeats === null ? [] : [briefRepeats(repeats)]),
      ...(prompts === null ? [] : [prompts]),
      ...conditionOf(condition, suite),
      ...(elsewhere.size === 0 ? [] : [`study ${study}`]),
    ].join(', '),
    meaning: `${metric.meaning}. ${metric.direction === 'higher' ? 'More' : 'Less'} is better. From study ${where}`,
  };
}

/** Of numbers only: some metrics name their values. Nothing where all values are one, and none has an interval. */
function scaleOf({ metric, rows }: MainMetric, { lo, hi }: Axis): Pick<Head, 'ends'> {
  if (lo === hi || [...rows.values()].some((row) => row['named'] !== null)) return {};
  const text = (end: number): string => metric.endText?.(end) ?? metric.text(end);
  return { ends: [text(lo), text(hi)] };
}

/** `base` of `base, against strong-sim`: the older version differs from row to row. */
function conditionOf(condition: string, suite: string | null): string[] {
  if (suite !== null) return [condition === 'all' ? suite : `suite ${suite}`];
  return condition === 'all' ? [] : condition.split(', ').slice(0, 1);
}

function valueCell(main: MainMetric, row: Row, axis: Axis, color: string): DataCell {
  const { metric } = main;
  const range = rangeText(row, metric);
  const lines = [
    ...(range === null ? [] : [range]),
    ...(isOfMain(main, row) ? groupLine(row) : []),
    ...partLine(main, row),
  ];
  const text = valueText(row, metric);
  return {
    ...{ text, value: numberOf(row, 'estimate'), under: lines, n: numberOf(row, 'n_tasks') },
    hint: standingText(main, row),
    drawing: standingBar(row, text, standingMarks(main, row), axis, color),
  };
}

/** The study of a value from another one; `2 of 30 tasks` of a value that has fewer than its column. */
function partLine(main: MainMetric, row: Row): string[] {
  const elsewhere = otherStudyText(main, row);
  if (elsewhere !== null) return [elsewhere];
  const own = numberOf(row, 'n_tasks');
  const most = row['trait'] === 'cost' ? numberOf(row, 'n_own_tasks') : main.tasks;
  return own < most ? [`${own} of ${counted(most, 'task')}`] : [];
}

/** `a · 1 – 3`. */
function groupLine(row: Row): string[] {
  if (row['rank'] === null || numberOf(row, 'n_models') < 2) return [];
  const [lo, hi] = [numberOf(row, 'rank_lo'), numberOf(row, 'rank_hi')];
  return [`${textOf(row, 'letters')} · ${lo === hi ? lo : `${lo} – ${hi}`}`];
}
