/** Correctness against each kind of robustness: one point per model, which leads to the model's row. */
import { titleWithUnit, unitAfter } from '../../domain/card/card-metric.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { type ScatterPoint, scatterSvg } from '../report/charts/scatter-chart.ts';
import type { Figure, Panel } from '../report/part.ts';
import type { ModelCell } from './card-cells.ts';
import { valueText } from './card-text.ts';
import { isOfMain, type MainMetric, modelKey } from './main-entries.ts';

/** Fewer points say less than the board's rows. */
const fewestPoints = 3;
/** Of more models several have the same colour, so all points get one. */
const mostColors = 8;

export function tradeOffs(shown: readonly MainMetric[], models: readonly Row[], modelCell: ModelCell): Figure {
  const passing = shown.find(({ metric }) => metric.trait === 'correctness');
  const robust = shown.filter(({ metric }) => !['correctness', 'cost', 'versions'].includes(metric.trait));
  const axes = passing === undefined ? [] : [passing, ...robust];
  const isMixed = axes.some((main) => [...main.rows.values()].some((row) => !isOfMain(main, row)));
  const without = isMixed ? ' Models with a value of another study or condition are left out.' : '';
  return {
    kind: 'figure',
    title: 'Correct and robust',
    note: `One point per model. A click on a point goes to the model’s row.${without}`,
    panels: passing === undefined ? [] : robust.flatMap((main) => panelOf(passing, main, models, modelCell)),
  };
}

function panelOf(passing: MainMetric, main: MainMetric, models: readonly Row[], modelCell: ModelCell): Panel[] {
  const points = models.flatMap((model): ScatterPoint[] => {
    const [across, up] = [mainRow(passing, model), mainRow(main, model)];
    if (across === undefined || up === undefined) return [];
    const cell = modelCell(textOf(model, 'run'), textOf(model, 'model'));
    return [
      {
        ...{ x: numberOf(across, 'estimate'), y: numberOf(up, 'estimate'), name: cell.text },
        color: models.length > mostColors ? 'var(--accent)' : (cell.model?.color ?? 'var(--text)'),
        ...(cell.id === undefined ? {} : { href: `#${cell.id}` }),
        says: `${cell.text}: ${saidOf(passing, across)}, ${saidOf(main, up)}`,
      },
    ];
  });
  if (points.length < fewestPoints || [...main.rows.values()].some((row) => row['named'] !== null)) return [];
  return [
    {
      caption: main.metric.title,
      ...(main.metric.direction === 'lower' ? { aside: 'less is better' } : {}),
      chart: () =>
        scatterSvg({
          points,
          x: { title: titleWithUnit(passing.metric), format: '.3~r' },
          y: { title: titleWithUnit(main.metric), format: '.3~r' },
          lines: 'none',
        }),
    },
  ];
}

/** Values of several studies are not on one scale: other tasks, prompts or settings. */
function mainRow(main: MainMetric, model: Row): Row | undefined {
  const row = main.rows.get(modelKey(model));
  return row !== undefined && isOfMain(main, row) ? row : undefined;
}

const saidOf = (main: MainMetric, row: Row): string =>
  `${main.metric.title} ${valueText(row, main.metric)}${unitAfter(main.metric)}`;
