/** RQ3: figure 3a of the paper. */
import { scatterSvg } from '../../../../analysis/report/charts/scatter-chart.ts';
import type { Figure } from '../../../../analysis/report/part.ts';
import { scoredRows } from '../methods.ts';
import type { QuestionInput } from './question-input.ts';

/** Models with both methods; empty for fewer than two. */
export function lightFigure({ board, colorOf }: QuestionInput): Figure {
  const light = new Map(scoredRows(board, 'light').map(({ model, aucE }) => [model, aucE?.value ?? 0]));
  const points = scoredRows(board, 'full').flatMap(({ model, aucE }) => {
    const x = light.get(model);
    return x === undefined ? [] : [{ x, y: aucE?.value ?? 0, name: model, color: colorOf(model) }];
  });
  const axis = (title: string) => ({ title, format: '.2f' });
  const chart = () =>
    scatterSvg({ points, x: axis('AUC-E, PromptSELight'), y: axis('AUC-E, PromptSE'), lines: 'equal' });
  return {
    kind: 'figure',
    panels: points.length < 2 ? [] : [{ caption: 'AUC-E by both methods', aside: 'dashed: equal', chart }],
  };
}
