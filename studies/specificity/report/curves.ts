/** pass@1 by detail: figures 3 and 4 by kind of reduction, figure 6 by model, and every level's values. */
import { count, number } from '../../../analysis/report/cells.ts';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import type { DataRow, DataTable, Figure, Panel } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { type Curve, curveNames } from '../results/scores.ts';
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import { type CurveSeries, curveSvg, pointOf } from './curve-chart.ts';
import type { SpecificityStudyReport } from './data.ts';
import { endLevel, levelRow, levelsOf, modelsOf } from './levels.ts';
import { estimateCell, factCell } from './row-cells.ts';

const axisTitle = {
  summary: 'maximum words',
  paragraphs: 'share of paragraphs kept',
  mask: 'share of sentences masked',
} as const;

const curveTitle = {
  summary: 'Summaries',
  paragraphs: 'Paragraph sampling',
  mask: 'Sentence-block masking',
} as const;

const paperFigure = { summary: 'figure 3', paragraphs: 'figure 4', mask: 'figure 4' } as const;

const curveColor = { summary: 'var(--model-0)', paragraphs: 'var(--model-1)', mask: 'var(--model-3)' } as const;

/** One chart per kind of reduction. */
export const curveFigure = (study: SpecificityStudyReport, { colorOf }: ReportContext): Figure => ({
  kind: 'figure',
  title: 'pass@1 by detail',
  note: 'Colours: models. Bands: 95 % intervals. Dashed: pass@1 of the original prompt. More detail to the right.',
  panels: curveNames.map((curve): Panel => {
    const levels = levelsOf(study, curve);
    const names = levels.map(({ name }) => name);
    const series = modelsOf(study).map((model): CurveSeries => {
      const points = levels.flatMap((level) => pointOf(levelRow(study, model, level), level.name) ?? []);
      return { name: model, color: colorOf(model), points, rule: originalOf(study, model) };
    });
    return {
      caption: `${curveTitle[curve]} (${paperFigure[curve]})`,
      chart: () => curveSvg(series, names, axisTitle[curve]),
    };
  }),
});

/** One chart per model. */
export const wordsFigure = (study: SpecificityStudyReport, { model: named }: ReportContext): Figure => ({
  kind: 'figure',
  title: 'pass@1 of each model by words in the description (figure 6)',
  note: 'Dashed: pass@1 of the original prompt.',
  legend: curveNames.map((curve) => ({ color: curveColor[curve], text: curveTitle[curve] })),
  panels: modelsOf(study).map((model) => ({
    caption: named(study.run, model),
    chart: () =>
      curveSvg(
        curveNames.map((curve) => wordSeries(study, model, curve)),
        null,
        'mean words of the description',
      ),
  })),
});

const originalOf = (study: SpecificityStudyReport, model: string): number | null =>
  numberOrNull(levelRow(study, model, endLevel('original')) ?? {}, 'pass_at_1');

function wordSeries(study: SpecificityStudyReport, model: string, curve: Curve): CurveSeries {
  const points = levelsOf(study, curve).flatMap((level) => {
    const row = levelRow(study, model, level);
    const words = numberOrNull(row ?? {}, 'words');
    return words === null ? [] : (pointOf(row, words) ?? []);
  });
  return { name: curve, color: curveColor[curve], points, rule: originalOf(study, model) };
}

/** How the variants of a level begin: `summary-25`. */
const variantWords = (row: Row): string =>
  [textOf(row, 'augmentation'), ...(row['level'] === null ? [] : [String(row['level'])])].join('-');

/** Every level of every model: the values behind the figures. */
export const levelsTable = ({ run, study, curve }: SpecificityStudyReport, context: ReportContext): DataTable => ({
  title: 'pass@1 at all levels of detail',
  words: 2,
  heads: ['Model', 'Prompts', 'Level', 'Words, mean', 'pass@1', 'n'],
  rows: curve
    .filter((row) => row['draw'] === null)
    .map(
      (row): DataRow =>
        withEvidence(
          [
            context.model(run, textOf(row, 'model')),
            textOf(row, 'augmentation'),
            factCell(row, 'level'),
            number(numberOrNull(row, 'words'), 1),
            estimateCell(row, 'pass_at_1'),
            count(numberOf(row, 'n')),
          ],
          { run, study, model: textOf(row, 'model'), words: variantWords(row) },
          context,
        ),
    ),
  folded: true,
});
