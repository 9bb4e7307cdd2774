/** Sorts table rows by key and groups them, so that sums are always computed in the same order, with equal digits. */
import type { Row } from '../../schemas/tables.ts';

/** Compares by the columns in turn: numbers by value, text by code unit, null first. */
export function compareByColumns(columns: readonly string[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const column of columns) {
      const order = compareValues(a[column] ?? null, b[column] ?? null);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compareValues(a: Row[string], b: Row[string]): number {
  if (a === b || a === undefined || b === undefined) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Rows with equal values in `columns`, groups in the order of their first row. */
export function groupByColumns(rows: readonly Row[], columns: readonly string[]): Row[][] {
  return [...Map.groupBy(rows, (row) => keyOf(row, columns)).values()];
}

/** Equal for rows with equal values in `columns`. */
export const keyOf = (row: Row, columns: readonly string[]): string =>
  JSON.stringify(columns.map((column) => row[column]));

/** The text in a column; throws if there is none. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`column ${column} holds text, got ${JSON.stringify(value)}`);
  return value;
}

/** The number in a column; throws if there is none. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new Error(`column ${column} holds a number, got ${JSON.stringify(value)}`);
  return value;
}

/** The number in a column; null if the column is null or does not exist. */
export const numberOrNull = (row: Row, column: string): number | null =>
  row[column] == null ? null : numberOf(row, column);
