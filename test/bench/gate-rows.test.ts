/** Rows of the tables in docs/ci.md, from counts of simulated gates. */
import { expect, test } from 'vitest';
import type { KindCell } from '../../bench/gate/kinds.ts';
import { kindColumns, kindRow, pairedColumns, pairedRow } from '../../bench/gate/rows.ts';

const counts = (passed: number, failed: number) => ({ passed, failed, inconclusive: 1000 - passed - failed });

test('a row of pass@1 has the passes by loss and the failures at the largest loss, by discordance', () => {
  const none = [counts(1000, 0), counts(28, 100), counts(1, 155)];
  const high = [counts(144, 1), counts(23, 2), counts(0, 99)];
  const row = pairedRow(60, 5, [none, high], 1000);
  expect(row).toEqual(['60', '5', '100, 14', '2.8, 2.3', '0.1, 0.0', '16, 9.9']);
  expect(row).toHaveLength(pairedColumns.length);
});

test('a row of another metric has the passes of 20, 60 and 164 tasks, with nothing lost and with too much lost', () => {
  const cell = (n: number, worse: boolean): KindCell => ({
    ...{ kind: 'ASL, margin 0.5', name: 'ASL', n, worse, loss: worse ? 0.6 : 0 },
    judge: () => 'passed',
  });
  const measured = [4, 20, 60, 164].flatMap((n) => [
    { cell: cell(n, false), found: counts(n, 3) },
    { cell: cell(n, true), found: counts(n / 4, 2) },
  ]);
  const row = kindRow(measured, 1000);
  expect(row).toEqual(['ASL, margin 0.5', '0.6', '2.0, 6.0, 16', '0.5, 1.5, 4.1']);
  expect(row).toHaveLength(kindColumns.length);
});
