/** Confidence of models by token position, for answers that pass and answers that fail. */
import type { ModelAffect } from '../../results/affect/model-affect.ts';
import { type ChartLine, lineSvg } from '../../../../analysis/report/charts/line-chart.ts';
import type { Figure, Panel } from '../../../../analysis/report/part.ts';
import type { QuestionInput } from './question-input.ts';

/** Further models are only in the JSON form. */
const mostModels = 16;
/** A position is shown only if at least this share of the answers is so long. */
const reached = 0.1;

export function confidenceFigure({ questions, colorOf }: QuestionInput): Figure {
  const given = questions.affect.filter(({ passing, failing }) => passing.length + failing.length > 0);
  const more =
    given.length > mostModels ? ` Shows ${mostModels} of ${given.length} models; the JSON form has all.` : '';
  return {
    kind: 'figure',
    title: 'Confidence by token position',
    note:
      'Mean log-probability of the token at each position, for samples that pass (line) and fail (dashed), up to the ' +
      'position that a tenth of them reaches. Bands: 95 % intervals (Gaffke’s bounds over tasks); their lower ' +
      'limit is as far below the lowest task as the tasks’ range is wide.' +
      more,
    panels: given.slice(0, mostModels).map((one) => modelPanel(one, colorOf(one.model))),
  };
}

function modelPanel({ model, passing, failing }: ModelAffect, color: string): Panel {
  const lines = [
    { name: 'passing', color, points: commonPart(passing) },
    { name: 'failing', color, dashed: true, points: commonPart(failing) },
  ].filter(({ points }) => points.length > 0);
  const x = { title: 'token', format: 'd' };
  const y = { title: 'mean log-probability', format: '.3~f' };
  return {
    caption: model,
    aside: 'dashed: failing',
    chart: () => lineSvg({ lines, x, y, marked: false, named: false }),
  };
}

function commonPart(points: ModelAffect['passing']): ChartLine['points'] {
  const most = Math.max(0, ...points.map(({ n }) => n));
  return points
    .filter(({ n }) => n >= reached * most)
    .map(({ position, mean, interval }) => ({ x: position, y: mean, ...interval }));
}
