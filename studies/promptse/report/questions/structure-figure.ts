/** RQ1: figures 1a and 1b of the paper, for both methods. */
import type { PromptseBoardRow } from '../../results/board.ts';
import { type ScatterPoint, scatterSvg } from '../../../../analysis/report/charts/scatter-chart.ts';
import type { Figure, Panel } from '../../../../analysis/report/part.ts';
import { type Method, methodName, methods, scoredRows } from '../methods.ts';
import type { QuestionInput } from './question-input.ts';

export const structureFigure = ({ board, colorOf, questions }: QuestionInput): Figure => ({
  kind: 'figure',
  panels: methods.flatMap((method) => {
    const ofNearlyAll = scoredRows(board, method).filter(({ model }) => !questions.fewerTasks[method].includes(model));
    return methodPanels(method, ofNearlyAll, colorOf);
  }),
});

const areaAxis = { title: 'AUC-E', format: '.2f' };

function methodPanels(method: Method, rows: readonly PromptseBoardRow[], colorOf: QuestionInput['colorOf']): Panel[] {
  if (rows.length < 2) return [];
  const point = ({ model, aucE }: PromptseBoardRow, x: number): ScatterPoint => ({
    ...{ x, y: aucE?.value ?? 0 },
    ...{ name: model, color: colorOf(model) },
  });
  const passes = rows.map((row) => point(row, row.passAt1?.value ?? 0));
  const sizes = rows.flatMap((row) => (row.sizeB === null ? [] : [point(row, row.sizeB)]));
  const performance: Panel = {
    caption: 'Performance and stability',
    aside: `${methodName[method]}; dashed: medians`,
    chart: () => scatterSvg({ points: passes, x: { title: 'pass@1', format: '~%' }, y: areaAxis, lines: 'medians' }),
  };
  const sizeAxis = { title: 'parameters, B', format: '~g', log: true };
  const size: Panel = {
    caption: 'Size and stability',
    aside: methodName[method],
    chart: () => scatterSvg({ points: sizes, x: sizeAxis, y: areaAxis, lines: 'none' }),
  };
  return sizes.length < 2 ? [performance] : [performance, size];
}
