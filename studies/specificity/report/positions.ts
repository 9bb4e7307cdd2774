/** pass@1 by the position of the masked block in the description. */
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import { decimals, intervalText } from '../../../analysis/report/format.ts';
import { estimateOf } from '../../../analysis/estimate.ts';
import { type DataCell, note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { SpecificityStudyReport } from './data.ts';
import { estimateCell, factCell } from './row-cells.ts';

export function positionsPart({ run, study, curve }: SpecificityStudyReport, context: ReportContext): Section {
  const rows = curve.filter((row) => row['draw'] !== null);
  const places = [...new Set(rows.map((row) => numberOf(row, 'draw')))].toSorted((a, b) => a - b);
  const groups = [...Map.groupBy(rows, (row) => JSON.stringify([row['model'], row['level']])).values()];
  const lines = groups.map((group) => {
    const model = textOf(group[0] ?? {}, 'model');
    const passed = places.map((place) => placeCell(group.find((row) => row['draw'] === place)));
    const cells = [context.model(run, model), factCell(group[0], 'level'), ...passed];
    return withEvidence(cells, { run, study, model, words: `mask-${String(group[0]?.['level'])}` }, context);
  });
  const about =
    'pass@1 by the place of the masked block, from the beginning to the end of the description. Below each value: ' +
    'its 95 % interval, and the difference from the mean of all places with its interval.';
  return section(
    'pass@1 by place of the masked sentences',
    lines.length === 0
      ? []
      : [
          note(about),
          { words: 1, heads: ['Model', 'Share masked', ...places.map((place) => `Place ${place}`)], rows: lines },
        ],
  );
}

function placeCell(row: Row | undefined): DataCell {
  const { under = [], ...passing } = estimateCell(row, 'pass_at_1');
  const difference = estimateOf(row ?? {}, 'to_level');
  const told =
    difference === null
      ? []
      : [`to the mean: ${signed(difference.value)} (${intervalText(difference.interval, signed)})`];
  return { ...passing, under: [...under, ...told] };
}

const signed = (value: number): string => `${value >= 0 ? '+' : ''}${decimals(value)}`;
