/** Pairs of levels in which more detail has a lower pass@1. */
import { pValue } from '../../../analysis/report/cells.ts';
import { countText } from '../../../analysis/report/format.ts';
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { SpecificityStudyReport } from './data.ts';
import { estimateCell, factCell } from './row-cells.ts';

const mostShown = 60;

export function monotonicityPart({ run, pairs }: SpecificityStudyReport, context: ReportContext): Section {
  const found = pairs.filter((row) => row['violates'] === true).toSorted((a, b) => pOf(a, 'p') - pOf(b, 'p'));
  const significant = found.filter((row) => pOf(row, 'p_holm') < 0.05).length;
  return section('Monotonicity: does more detail ever hurt?', [
    note(
      `More detail has a lower pass@1 in ${countText(found.length)} of ${countText(pairs.length)} pairs of levels; ` +
        `${countText(significant)} of these have p < 0.05 after Holm’s adjustment.`,
    ),
    {
      words: 2,
      heads: [
        ...['Model', 'Curve', 'Less detail', 'More detail', 'pass@1 with less', 'pass@1 with more', 'Difference'],
        { text: 'Test', words: true },
        ...['p', 'p, Holm', 'p, BH', 'n'],
      ],
      rows: found
        .slice(0, mostShown)
        .map((row) => [
          context.model(run, textOf(row, 'model')),
          ...['augmentation', 'lower', 'upper'].map((column) => factCell(row, column)),
          ...['lower_pass_at_1', 'upper_pass_at_1', 'difference'].map((column) => estimateCell(row, column)),
          factCell(row, 'test'),
          ...['p', 'p_holm', 'p_bh'].map((column) => pValue(numberOrNull(row, column))),
          factCell(row, 'n'),
        ]),
    },
    note(
      found.length > mostShown
        ? `Shows the ${mostShown} pairs with the smallest p; table specificity_pairs has all.`
        : '',
    ),
  ]);
}

/** 1 if the pair was not tested. */
const pOf = (row: Row, column: string): number => numberOrNull(row, column) ?? 1;
