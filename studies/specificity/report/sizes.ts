/** The gap between the largest and the smallest model of a family, level by level. */
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { SpecificityStudyReport } from './data.ts';
import { estimateCell, factCell } from './row-cells.ts';

const about =
  'The difference in pass@1 between the largest and the smallest model of a family at each level, ' +
  'over tasks that both have.';

export const sizesPart = ({ run, sizes }: SpecificityStudyReport, context: ReportContext): Section =>
  section(
    'pass@1 gap between model sizes',
    sizes.length === 0
      ? []
      : [
          note(about),
          {
            words: 4,
            heads: [
              ...['Family', 'Smallest model', 'Largest model', 'Augmentation', 'Level'],
              ...['pass@1 smallest', 'pass@1 largest', 'Gap', 'n'],
            ],
            rows: sizes.map((row) => [
              factCell(row, 'family'),
              ...['smallest', 'largest'].map((column) => context.model(run, textOf(row, column))),
              ...['augmentation', 'level'].map((column) => factCell(row, column)),
              ...['smallest_pass_at_1', 'largest_pass_at_1', 'gap'].map((column) => estimateCell(row, column)),
              factCell(row, 'n'),
            ]),
          },
        ],
  );
