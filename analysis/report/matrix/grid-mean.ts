/** Means of a grid's first condition. */
import type { GridRow } from '../part.ts';

/** Over the models that have a value; null if none has one. */
export function rowMean({ cells }: GridRow): number | null {
  const values = (cells[0] ?? []).flatMap(({ value }) => (value === null ? [] : [value]));
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
