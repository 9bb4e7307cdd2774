/** PartialOrderEval's main tables: the ends of each model's curves, and the least detail that each model needs. */
import { pValue } from '../../../analysis/report/cells.ts';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import type { DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { curveNames } from '../results/scores.ts';
import { numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { SpecificityStudyReport } from './data.ts';
import { endLevel, levelRow, modelsOf } from './levels.ts';
import { estimateCell, factCell, levelCell } from './row-cells.ts';

/** For the terminal at the end of a run: with full titles, and models by name only. */
export function boardTables(study: SpecificityStudyReport, context: ReportContext): DataTable[] {
  const name = `PartialOrderEval · study ${study.study} · ${study.benchmark}`;
  const named: ReportContext = { ...context, model: (run, id) => context.model(run, id) };
  const checked = [...new Set(study.summary.filter(wasChecker).map((row) => textOf(row, 'model')))];
  return [
    {
      ...endsTable(study, named),
      title: `${name} · pass@1 by detail`,
      ...(checked.length === 0
        ? {}
        : { note: `${checked.join(', ')} was also the check model: the maximal prompts were selected by its success` }),
    },
    {
      ...sufficientTable(study, named),
      title: `${name} · least detail with pass@1 within ${withinOf(study)} of the maximal prompt’s`,
    },
  ];
}

const wasChecker = (row: Row): boolean => row['own_check'] === true;

/** How far below the maximal prompt's pass@1 a sufficient level may be. */
const withinOf = ({ summary }: SpecificityStudyReport): number => numberOrNull(summary[0] ?? {}, 'within') ?? 0;

export const endsNote =
  'Below each value: its 95 % interval. p: McNemar’s exact test of maximal against original prompts (the sign-flip ' +
  'test if tasks were asked several times). n of both: tasks with a score for the original and for every level of ' +
  'the first curve.';

/** One row per model. */
export function endsTable(study: SpecificityStudyReport, context: ReportContext): DataTable {
  const hasSizes = study.summary.some((row) => numberOrNull(row, 'size_b') !== null);
  return {
    n: 'n of both',
    words: 1,
    heads: [
      'Model',
      ...(hasSizes ? [{ text: 'Size, B', aside: true }] : []),
      ...['pass@1 minimal', 'original', 'maximal', 'maximal − original'],
      { text: 'p', aside: true },
      'n of both',
    ],
    rows: modelsOf(study).map((model) => endsRow(study, model, hasSizes, context)),
    look: 'board',
  };
}

function endsRow(study: SpecificityStudyReport, model: string, hasSizes: boolean, context: ReportContext): DataRow {
  const first = study.summary.find((row) => row['model'] === model);
  const passing = (augmentation: string) => estimateCell(levelRow(study, model, endLevel(augmentation)), 'pass_at_1');
  const cells: DataRow = [
    context.model(study.run, model, aboutModel(first)),
    ...(hasSizes ? [factCell(first, 'size_b')] : []),
    ...['minimal', 'original', 'maximal'].map(passing),
    estimateCell(first, 'maximal_to_original'),
    pValue(numberOrNull(first ?? {}, 'maximal_to_original_p')),
    factCell(first, 'n'),
  ];
  return withEvidence(cells, { run: study.run, study: study.study, model }, context);
}

const aboutModel = (row: Row | undefined): string[] => [
  ...(typeof row?.['family'] === 'string' ? [row['family']] : []),
  ...(row !== undefined && wasChecker(row) ? ['was the check model'] : []),
];

export const sufficientNote = (study: SpecificityStudyReport): string =>
  `The level with least detail whose pass@1 is within ${withinOf(study)} of the maximal prompt’s; ` +
  'below it, the levels at the ends of its interval. “As the original”: ' +
  'the level with least detail whose pass@1 reaches the original’s. A model that passes next to nothing with these ' +
  'prompts reaches them at any level, which says nothing of the detail that it needs.';

/** One row per model. */
export function sufficientTable(study: SpecificityStudyReport, context: ReportContext): DataTable {
  const rowOf = (model: string): DataRow => {
    const own = study.summary.filter((row) => row['model'] === model);
    const cells = (column: string) =>
      curveNames.map((curve) =>
        levelCell(
          own.find((row) => row['augmentation'] === curve),
          column,
        ),
      );
    const all = [context.model(study.run, model), ...cells('sufficient'), ...cells('reaches_original')];
    return withEvidence(all, { run: study.run, study: study.study, model }, context);
  };
  return {
    words: 1,
    heads: [
      ...['Model', 'Maximum words', 'Paragraphs kept', 'Sentences masked'],
      ...['As the original: words', 'paragraphs', 'masked'].map((text) => ({ text, aside: true })),
    ],
    rows: modelsOf(study).map(rowOf),
    look: 'board',
  };
}
