/** DuckDB values as JSON without loss: what JSON numbers cannot hold exactly becomes text. */
import { DuckDBTypeId, type DuckDBValueConverter, type Json, JsonDuckDBValueConverter } from '@duckdb/node-api';

const wholeTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
]);

/**
 * Whole numbers up to 2^53 are numbers, larger ones text; decimals, dates, times and UUIDs are text; NaN and infinities are text
 * ("NaN", "Infinity"); timestamps are text, UTC, as DuckDB prints them; lists and structs are arrays and objects.
 */
export const jsonValue: DuckDBValueConverter<Json> = (value, type, converter) => {
  const json = JsonDuckDBValueConverter(value, type, converter);
  if (typeof json !== 'string' || !wholeTypes.has(type.typeId)) return json;
  return Number.isSafeInteger(Number(json)) ? Number(json) : json;
};
