/** RQ4: figures 3c and 3d of the paper, and how calibration changes with distance. */
import type { ModelAffect } from '../../results/affect/model-affect.ts';
import type { PromptseBoardRow } from '../../results/board.ts';
import { type ChartLine, lineSvg } from '../../../../analysis/report/charts/line-chart.ts';
import { type ScatterPoint, scatterSvg } from '../../../../analysis/report/charts/scatter-chart.ts';
import type { Figure, Panel } from '../../../../analysis/report/part.ts';
import type { AffectGroup } from '../../results/affect/affect.ts';
import { scoredRows } from '../methods.ts';
import { byModel, fromOriginalAxis, mostNamedLines, type QuestionInput } from './question-input.ts';

export const affectFigure = (input: QuestionInput): Figure => ({
  kind: 'figure',
  panels: [...sensitivityPanel(input), ...confidencePanel(input), ...driftPanel(input)],
});

function sensitivityPanel(input: QuestionInput): Panel[] {
  const rows = new Map(
    [...scoredRows(input.board, 'light'), ...scoredRows(input.board, 'full')].map((row) => [row.model, row]),
  );
  const points = pointsOf(
    input,
    ({ passRate, meanAbsoluteDelta }) => [passRate?.value, meanAbsoluteDelta?.value],
    (model) => factsOf(rows.get(model)),
  );
  const axes = {
    x: { title: 'pass rate under emotions', format: '~%' },
    y: { title: 'mean |Δ pass|', format: '.2f' },
  };
  return pairPanel('Performance and sensitivity', 'family, size, AUC-E', points, axes);
}

const factsOf = (row: PromptseBoardRow | undefined): string =>
  [row?.family, row?.sizeB == null ? null : `${row.sizeB} B`, row?.aucE?.value.toFixed(2)]
    .filter((part) => part != null)
    .join(', ');

function confidencePanel(input: QuestionInput): Panel[] {
  const points = pointsOf(input, ({ sureFailures, unsureSuccesses }) => [sureFailures?.value, unsureSuccesses?.value]);
  const axes = { x: { title: 'sure failures', format: '~%' }, y: { title: 'unsure successes', format: '~%' } };
  return pairPanel('Over- and underconfidence', 'shares of all samples', points, axes);
}

/** A point per model that has both values over its variants. */
function pointsOf(
  { questions, colorOf }: QuestionInput,
  values: (group: AffectGroup) => readonly (number | undefined)[],
  facts?: (model: string) => string,
): ScatterPoint[] {
  return questions.affect.flatMap(({ model, groups }) => {
    const group = groups.find(({ by }) => by === 'variants');
    const [x, y] = group === undefined ? [] : values(group);
    if (x === undefined || y === undefined) return [];
    return [{ x, y, name: model, ...(facts && { facts: facts(model) }), color: colorOf(model) }];
  });
}

type Axes = Pick<Parameters<typeof scatterSvg>[0], 'x' | 'y'>;

const pairPanel = (caption: string, aside: string, points: readonly ScatterPoint[], axes: Axes): Panel[] =>
  points.length < 2 ? [] : [{ caption, aside, chart: () => scatterSvg({ points, ...axes, lines: 'none' }) }];

function driftPanel({ questions, colorOf }: QuestionInput): Panel[] {
  const lines = questions.affect
    .map(({ model, groups }) => ({ name: model, color: colorOf(model), points: driftOf(groups) }))
    .filter(({ points }) => points.length > 0);
  const named = lines.length <= mostNamedLines;
  const chart = () => lineSvg({ lines, x: fromOriginalAxis, y: { title: 'ECE', format: '.2f' }, marked: true, named });
  return lines.length === 0 ? [] : [{ caption: 'Calibration over distance', aside: byModel, chart }];
}

const driftOf = (groups: ModelAffect['groups']): ChartLine['points'] =>
  groups.flatMap(({ by, name, calibration }) => {
    if (calibration === null || (by !== 'original' && by !== 'distance')) return [];
    return [{ x: by === 'original' ? 0 : Number(name), y: calibration.value, ...calibration.interval }];
  });
