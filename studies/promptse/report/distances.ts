/** The values behind each E(d): the scores that it compares, its noise floor and the excess over it. */
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import type { Estimate } from '../../../analysis/estimate.ts';
import type { PromptseBoardRow } from '../results/board.ts';
import { estimatedNumber } from '../../../analysis/report/cells.ts';
import type { DataTable, Head } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { distances } from '../distances.ts';
import { scoreName } from './methods.ts';

/** @param rows of one study and method */
export function distanceTable(
  rows: readonly [PromptseBoardRow, ...PromptseBoardRow[]],
  context: ReportContext,
): DataTable {
  const [{ method }] = rows;
  const atEach = (text: string): Head[] => distances.map((distance) => ({ text, under: `at ${distance}` }));
  return {
    title: 'Scores, floors and excess by distance',
    note:
      `Mean ${method === 'full' ? 'SoftExec' : 'pass rate'} of the original and of its variants at each distance. ` +
      'Floor: the E(d) expected from chance alone, which needs repeated draws of the original. ' +
      'Excess: E(d) minus floor.',
    words: 1,
    heads: [
      'Model',
      { text: scoreName[method], under: 'original' },
      ...atEach(scoreName[method]),
      ...atEach('Floor'),
      ...atEach('Excess'),
    ],
    rows: rows
      .map((row) => ({ row, estimates: estimatesOf(row) }))
      .filter(({ estimates }) => estimates.some((one) => one !== null))
      .map(({ row, estimates }) => {
        const cells = estimates.map((one, place) => {
          const n = place < estimates.length - 2 * distances.length ? row.n : row.nFloor;
          return { ...estimatedNumber(one), n: `${n} tasks` };
        });
        const source = { run: row.run, study: row.study, model: row.model };
        return withEvidence([context.model(row.run, row.model), ...cells], source, context);
      }),
  };
}

const estimatesOf = ({ scoreOriginal, scores, floor, excess }: PromptseBoardRow): (Estimate | null)[] => [
  scoreOriginal,
  ...scores,
  ...floor,
  ...excess,
];
