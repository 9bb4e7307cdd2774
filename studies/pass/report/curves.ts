/** pass@k and pass^k by k. */
import { estimateOf } from '../../../analysis/estimate.ts';
import { type ChartLine, lineSvg } from '../../../analysis/report/charts/line-chart.ts';
import type { Figure } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import { allSuites } from '../results/counts.ts';
import { areTasksFewer, temperatureText } from './board.ts';
import type { PassStudyReport } from './data.ts';

/** One chart per temperature. No chart with a single k. */
export function curveFigure(study: PassStudyReport, { colorOf }: ReportContext): Figure {
  const rows = study.passAtK.filter((row) => row['repetition'] === null && row['suite'] === allSuites);
  const settings = [...Map.groupBy(rows, (row) => textOf(row, 'setting')).values()];
  return {
    kind: 'figure',
    title: 'pass@k and pass^k by k',
    note:
      'Colours: models. Solid: pass@k; dashed: pass^k. Bands: 95 % intervals.' +
      (rows.some((row) => areTasksFewer(study, row)) ? ` ${otherTasks}` : ''),
    panels:
      study.ks.length < 2
        ? []
        : settings.map((own) => ({
            caption: `temperature ${temperatureText(study, own[0] as Row)}`,
            chart: () =>
              lineSvg({
                lines: [...Map.groupBy(own, (row) => textOf(row, 'model'))].flatMap(([model, ofModel]) =>
                  linesOf(model, colorOf(model), ofModel),
                ),
                x: { title: 'k', format: 'd', ticks: study.ks },
                y: { title: 'probability', format: '.0%' },
                ...{ marked: true, named: false },
              }),
          })),
  };
}

const otherTasks =
  'Not all points of a line are of the same tasks, so that pass@k may fall: each point leaves out tasks with fewer ' +
  'than k samples that could be judged. The table says of how many tasks each is.';

const linesOf = (model: string, color: string, rows: readonly Row[]): ChartLine[] => [
  { name: `${model} pass@k`, color, points: pointsOf(rows, 'pass_at_k') },
  { name: `${model} pass^k`, color, dashed: true, points: pointsOf(rows, 'pass_hat_k') },
];

const pointsOf = (rows: readonly Row[], column: 'pass_at_k' | 'pass_hat_k'): ChartLine['points'] =>
  rows.flatMap((row) => {
    const estimate = estimateOf(row, column);
    return estimate === null ? [] : [{ x: numberOf(row, 'k'), y: estimate.value, ...estimate.interval }];
  });
