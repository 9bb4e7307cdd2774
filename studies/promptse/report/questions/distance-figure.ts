/** RQ2: figures 2a, 2c and 2d of the paper. */
import type { PromptseBoardRow } from '../../results/board.ts';
import type { StudyQuestions } from '../../results/questions/study-questions.ts';
import { type ChartLine, lineSvg } from '../../../../analysis/report/charts/line-chart.ts';
import type { Figure, Panel } from '../../../../analysis/report/part.ts';
import { modelColor } from '../../../../analysis/report/style.ts';
import { distances } from '../../distances.ts';
import { methodName, scoredRows, scoreName } from '../methods.ts';
import { byModel, distanceAxis, fromOriginalAxis, mostNamedLines, type QuestionInput } from './question-input.ts';

/** By PromptSE, or by PromptSELight if no model has PromptSE. */
export function distanceFigure({ questions, board, colorOf }: QuestionInput): Figure {
  const full = scoredRows(board, 'full');
  const rows = full.length > 0 ? full : scoredRows(board, 'light');
  return {
    kind: 'figure',
    panels:
      rows.length === 0 ? [] : [elasticityPanel(rows, colorOf), changePanel(rows, colorOf), ...sizePanel(questions)],
  };
}

type Rows = readonly PromptseBoardRow[];

const methodOf = ([first]: Rows) => first?.method ?? 'light';

const elasticityPanel = (rows: Rows, colorOf: QuestionInput['colorOf']): Panel => ({
  caption: 'Elasticity by distance',
  aside: `${methodName[methodOf(rows)]}, ${byModel}`,
  chart: () =>
    lineSvg({
      lines: rows.map(({ model, elasticity }) => ({
        ...{ name: model, color: colorOf(model) },
        points: elasticity.flatMap((one, index) =>
          one === null ? [] : [{ x: distances[index] ?? 0, y: one.value, ...one.interval }],
        ),
      })),
      ...{ x: distanceAxis, y: { title: 'E(d)', format: '.2f' }, marked: true, named: rows.length <= mostNamedLines },
    }),
});

function changePanel(rows: Rows, colorOf: QuestionInput['colorOf']): Panel {
  const method = methodOf(rows);
  const y = { title: `${scoreName[method]} − original’s`, format: '+.2f' };
  return {
    caption: `Change of ${method === 'full' ? 'SoftExec' : 'pass rate'}`,
    aside: byModel,
    chart: () =>
      lineSvg({
        lines: rows.map((row) => ({ name: row.model, color: colorOf(row.model), points: changesOf(row) })),
        ...{ x: fromOriginalAxis, y, marked: true, named: rows.length <= mostNamedLines, level: 0 },
      }),
  };
}

function changesOf({ scoreOriginal, scores }: PromptseBoardRow): ChartLine['points'] {
  if (scoreOriginal === null) return [];
  const changes = scores.flatMap((score, index) =>
    score === null ? [] : [{ x: distances[index] ?? 0, y: score.value - scoreOriginal.value }],
  );
  return [{ x: 0, y: 0 }, ...changes];
}

/** Empty if no model's size is known. */
function sizePanel({ deltas }: StudyQuestions): Panel[] {
  const groups = [...new Set(deltas.size?.spreads.flatMap(({ group }) => group ?? []))];
  const lines = groups.map(
    (name, index): ChartLine => ({
      name,
      color: modelColor(index),
      points: spreadsOf(deltas.size?.spreads ?? [], name),
    }),
  );
  const y = { title: 'mean |Δ pass|', format: '.2f' };
  const chart = () => lineSvg({ lines, x: distanceAxis, y, marked: true, named: true });
  return groups.length === 0 ? [] : [{ caption: '|Δ pass| by size', aside: 'one line per size', chart }];
}

type Spreads = NonNullable<StudyQuestions['deltas']['size']>['spreads'];

const spreadsOf = (spreads: Spreads, name: string): ChartLine['points'] =>
  spreads.flatMap(({ group, distance, meanAbsolute }) =>
    group === name && distance !== null ? [{ x: distance, y: meanAbsolute }] : [],
  );
