/** Confidence of models by token position, for answers that pass and answers that fail. */
import type { TrajectoryPoint } from '../../results/affect/trajectory.ts';
import type { ModelTrajectory } from '../../results/questions/study-questions.ts';
import { type ChartLine, lineSvg } from '../../../../analysis/report/charts/line-chart.ts';
import type { Figure, Panel } from '../../../../analysis/report/part.ts';
import type { QuestionInput } from './question-input.ts';

/** A position is shown only if at least this share of the answers is so long. */
const reached = 0.1;

export function confidenceFigure({ questions, colorOf }: QuestionInput): Figure {
  const { trajectories, withTokens } = questions;
  const given = trajectories.filter(({ passing, failing }) => passing.length + failing.length > 0);
  const more =
    withTokens > trajectories.length
      ? ` Shows ${trajectories.length} of ${withTokens} models; the JSON form has all.`
      : '';
  return {
    kind: 'figure',
    title: 'Confidence by token position',
    note:
      'Mean log-probability of the token at each position, for samples that pass (line) and fail (dashed), up to the ' +
      'position that a tenth of them reaches. Bands: 95 % intervals (Gaffke’s bounds over tasks); their lower ' +
      'limit is as far below the lowest task as the tasks’ range is wide.' +
      more,
    panels: given.map((one) => modelPanel(one, colorOf(one.model))),
  };
}

function modelPanel({ model, passing, failing }: ModelTrajectory, color: string): Panel {
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

function commonPart(points: readonly TrajectoryPoint[]): ChartLine['points'] {
  const most = Math.max(0, ...points.map(({ n }) => n));
  return points
    .filter(({ n }) => n >= reached * most)
    .map(({ position, mean, interval }) => ({ x: position, y: mean, ...interval }));
}
