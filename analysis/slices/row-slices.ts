/** A run's rows in groups by the values of a column, so that only a group's rows are in memory. */
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { currentParts } from '../run-folder.ts';
import { quoteText } from '../views.ts';

/** Rows of a table in all runs, from their manifests: no file is opened. */
export const storedRows = ({ manifests }: RunDatabase, table: TableName): number =>
  manifests.flatMap((manifest) => currentParts(manifest, table)).reduce((sum, { rows }) => sum + rows, 0);

/**
 * SQL conditions for groups of about as many rows, which together hold for every row, in the order of the column.
 * @param counts by value, in order: the column, and rows `n` @param atATime rows in a group
 */
export const rangesOf = (column: string, counts: readonly Row[], atATime: number): string[] =>
  rangesBetween(column, lastOfSlices(column, counts, atATime));

/** The last value of each group but the last group. */
function lastOfSlices(column: string, counts: readonly Row[], atATime: number): string[] {
  const lasts: string[] = [];
  let rows = 0;
  for (const count of counts.slice(0, -1)) {
    rows += numberOf(count, 'n');
    if (rows < atATime) continue;
    lasts.push(textOf(count, column));
    rows = 0;
  }
  return lasts;
}

/** As many conditions and one more. */
function rangesBetween(column: string, lasts: readonly string[]): string[] {
  const after = (last: string | undefined): string => (last === undefined ? 'true' : `${column} > ${quoteText(last)}`);
  const upTo = (last: string): string => `${column} <= ${quoteText(last)}`;
  return [...lasts.map((last, place) => `${after(lasts[place - 1])} AND ${upTo(last)}`), after(lasts.at(-1))];
}
