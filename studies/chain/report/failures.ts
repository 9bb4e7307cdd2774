/** Why translations into each language failed, model by model. */
import { estimateOf } from '../../../analysis/estimate.ts';
import { count, estimatedShare } from '../../../analysis/report/cells.ts';
import { note, type Part } from '../../../analysis/report/part.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';

/** @param rows of `chain_failures`, of one study */
export const failureTables = (rows: readonly Row[]): Part[] =>
  [...Map.groupBy(rows, (row) => textOf(row, 'model'))].map(([model, own]) => failureTable(model, own));

function failureTable(model: string, rows: readonly Row[]): Part {
  const failed = rows.filter((row) => row['outcome'] !== 'pass');
  if (failed.length === 0) return note(`${model}: all translations passed.`);
  return {
    title: model,
    words: 3,
    heads: ['From', 'To', 'Reason', 'n', 'Of', 'Share', { text: 'Tasks', words: true }],
    rows: failed.map((row) => [
      ...[textOf(row, 'source_language'), textOf(row, 'target_language'), textOf(row, 'outcome').replaceAll('_', ' ')],
      ...[count(numberOf(row, 'n')), count(numberOf(row, 'attempted')), estimatedShare(estimateOf(row, 'share'))],
      textOf(row, 'tasks'),
    ]),
  };
}
