/** What each study paid for each model, and the cost of a solved task. */
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { DataCell, DataTable } from './part.ts';
import { countText, decimals, levelText, missing, usdText } from './format.ts';

/** A table without rows if nothing was paid. */
export function costTable(costs: readonly Row[], severalRuns: boolean): DataTable {
  const paid = costs.filter((row) => numberOf(row, 'usd') > 0 || numberOf(row, 'unpriced_calls') > 0);
  const [first] = paid;
  const level = first === undefined ? '' : levelText(numberOf(first, 'level'));
  const method = first === undefined ? '' : textOf(first, 'method');
  return {
    title: 'Cost of a solved task',
    note:
      "Includes all calls made for a model, also its judge's. If several studies share an answer, the first one " +
      'pays for it; USD per solved task has it in each of them. It leaves out the tasks that have answers of other ' +
      'runs (reuse) or that another model of the run paid for. Solved: sum over tasks of the share of first programs ' +
      `that pass all suites; n: tasks with a program that counts. ${level} intervals: ${method}.`,
    words: severalRuns ? 3 : 2,
    heads: [
      ...(severalRuns ? ['Run'] : []),
      ...['Study', 'Model', 'calls', 'input tokens', 'cached', 'output tokens', 'reasoning'],
      ...['USD', 'solved', 'n', 'USD per solved task', 'interval'],
    ],
    rows: paid.map((row) => [
      ...(severalRuns ? [textOf(row, 'run')] : []),
      ...[textOf(row, 'study'), `${textOf(row, 'model')}${row['simulated'] === true ? ' (simulated)' : ''}`],
      ...['calls', 'input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens'].map((column) =>
        count(row, column),
      ),
      ...[usd(row, 'usd'), { text: decimals(numberOf(row, 'solved_tasks'), 1), value: numberOf(row, 'solved_tasks') }],
      ...[count(row, 'n'), perSolved(row), interval(row)],
    ]),
  };
}

const count = (row: Row, column: string): DataCell => ({
  text: countText(numberOf(row, column)),
  value: numberOf(row, column),
});

function usd(row: Row, column: string): DataCell {
  const value = numberOrNull(row, column);
  return { text: value === null ? missing : usdText(value), value };
}

/** The costs of some calls may be estimated from above. */
function perSolved(row: Row): DataCell {
  const cell = usd(row, 'usd_per_solved_task');
  return cell.value === null || numberOf(row, 'estimated_usd') === 0 ? cell : { ...cell, text: `at most ${cell.text}` };
}

function interval(row: Row): DataCell {
  const [lo, hi] = [numberOrNull(row, 'usd_per_solved_task_lo'), numberOrNull(row, 'usd_per_solved_task_hi')];
  return { text: lo === null ? missing : `${usdText(lo)} – ${hi === null ? '∞' : usdText(hi)}`, value: lo };
}
