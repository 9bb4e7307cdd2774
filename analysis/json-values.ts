/** DuckDB values as JSON without loss: values that JSON numbers cannot hold exactly become text. */
import {
  DuckDBTimestampTZValue,
  DuckDBTypeId,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api';
import { InputError } from '../domain/errors.ts';

// DuckDB's own setting TimeZone does not count here: by default the library prints in the time zone of this process.
DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;

const wholeTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
]);

/**
 * Whole numbers up to 2^53 are numbers, larger ones text; decimals, dates, times and UUIDs are text;
 * NaN and infinities are text ("NaN", "Infinity"); timestamps are text, UTC, as DuckDB prints them;
 * lists and structs are arrays and objects.
 */
export const jsonValue: DuckDBValueConverter<Json> = (value, type, converter) => {
  const json = JsonDuckDBValueConverter(value, type, converter);
  if (typeof json !== 'string' || !wholeTypes.has(type.typeId)) return json;
  return Number.isSafeInteger(Number(json)) ? Number(json) : json;
};

/** A value that is longer than the longest string of JavaScript cannot be shown. */
export function readable<T>(convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG')) throw error;
    throw new InputError('SQL: a value of the result has more than 536,870,888 characters; select a part of it');
  }
}
