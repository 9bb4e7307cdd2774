/**
 * Encodes column values as Arrow data directly (builders take twice the time). One rule per type: string -> Utf8 (a
 * lone surrogate becomes U+FFFD), int -> Int32, float -> Float64, bool -> Bool, timestamp -> Timestamp(ms, UTC) from
 * milliseconds since 1970, intList -> List(Int32), floatList -> List(Float32).
 */
import { Bool, Field, Float32, Float64, Int32, List, makeData, TimestampMillisecond, Utf8 } from 'apache-arrow';
import type { Data, DataType } from 'apache-arrow';
import type { ColumnType } from '../../../schemas/tables.ts';

/** Characters; V8 strings are limited to half a billion. */
const maxJoined = 256 * 1024 * 1024;

/** A value in a row. */
export type Cell = string | number | boolean | null | readonly number[];

interface Encoding {
  /** Whether the column accepts a value that is not null. */
  readonly fits: (value: Cell) => boolean;
  /** The accepted values, for messages. */
  readonly expected: string;
  readonly encode: (values: readonly Cell[]) => Data<DataType>;
}

const isInt32 = (value: Cell): boolean => typeof value === 'number' && (value | 0) === value;
const isFiniteNumber = (value: Cell): boolean => typeof value === 'number' && Number.isFinite(value);
const isListOf =
  (isItem: (value: Cell) => boolean) =>
  (value: Cell): boolean =>
    Array.isArray(value) && value.every(isItem);
const isString = (value: Cell): boolean => typeof value === 'string';
const isBoolean = (value: Cell): boolean => typeof value === 'boolean';

/** Nulls are not checked and are encoded as empty values. */
export const encodings: Readonly<Record<ColumnType, Encoding>> = {
  string: { fits: isString, expected: 'a string', encode: encodeStrings },
  int: { fits: isInt32, expected: 'a whole number of 32 bits', encode: encodeInts },
  float: { fits: isFiniteNumber, expected: 'a finite number', encode: encodeFloats },
  bool: { fits: isBoolean, expected: 'true or false', encode: encodeBools },
  timestamp: { fits: Number.isSafeInteger, expected: 'whole milliseconds since 1970 UTC', encode: encodeTimestamps },
  intList: { fits: isListOf(isInt32), expected: 'a list of whole numbers of 32 bits', encode: encodeIntLists },
  floatList: { fits: isListOf(isFiniteNumber), expected: 'a list of finite numbers', encode: encodeFloatLists },
};

/** Arrow's validity bitmap, least significant bit first; undefined if nothing is null. */
function validity(values: readonly Cell[]): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullCount = 0;
  for (let index = 0; index < values.length; index += 1) if (values[index] === null) nullCount += 1;
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap: bits(values, (value) => value !== null) };
}

function bits(values: readonly Cell[], isSet: (value: Cell) => boolean): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(values.length / 64) * 8);
  values.forEach((value, index) => {
    if (isSet(value)) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return bitmap;
}

function encodeStrings(values: readonly Cell[]): Data<DataType> {
  const texts = values.map((value) => (value as string | null) ?? '');
  const { valueOffsets, data } = asciiBytes(texts) ?? utf8Bytes(texts);
  return makeData({ type: new Utf8(), length: values.length, ...validity(values), valueOffsets, data });
}

interface TextBytes {
  readonly valueOffsets: Int32Array;
  readonly data: Buffer;
}

/** For most columns, texts have as many bytes as characters and are all written at once; null if one has more bytes. */
function asciiBytes(texts: readonly string[]): TextBytes | null {
  const valueOffsets = offsets(texts.map(({ length }) => length));
  const end = valueOffsets.at(-1) ?? 0;
  if (end > maxJoined) return null;
  const joined = texts.join('');
  return Buffer.byteLength(joined) === end ? { valueOffsets, data: Buffer.from(joined) } : null;
}

function utf8Bytes(texts: readonly string[]): TextBytes {
  const valueOffsets = offsets(texts.map((text) => Buffer.byteLength(text)));
  const data = Buffer.alloc(valueOffsets.at(-1) ?? 0);
  for (const [index, text] of texts.entries()) data.write(text, valueOffsets[index] ?? 0);
  return { valueOffsets, data };
}

/**
 * Start of each list with these lengths, and the end of the last. Throws above 2 GiB,
 * the limit of Arrow's 32-bit offsets.
 */
function offsets(lengths: readonly number[]): Int32Array {
  const starts = new Int32Array(lengths.length + 1);
  let end = 0;
  lengths.forEach((length, index) => {
    end += length;
    if (end > 0x7fffffff)
      throw new RangeError(
        `a column of one part holds at most 2 GiB, got ${end} bytes after row ${index}; make smaller pages`,
      );
    starts[index + 1] = end;
  });
  return starts;
}

function encodeInts(values: readonly Cell[]): Data<DataType> {
  const data = new Int32Array(values.length);
  for (let index = 0; index < values.length; index += 1) data[index] = (values[index] as number | null) ?? 0;
  return makeData({ type: new Int32(), length: values.length, ...validity(values), data });
}

function encodeFloats(values: readonly Cell[]): Data<DataType> {
  const data = new Float64Array(values.length);
  for (let index = 0; index < values.length; index += 1) data[index] = (values[index] as number | null) ?? 0;
  return makeData({ type: new Float64(), length: values.length, ...validity(values), data });
}

function encodeBools(values: readonly Cell[]): Data<DataType> {
  return makeData({
    type: new Bool(),
    length: values.length,
    ...validity(values),
    data: bits(values, (value) => value === true),
  });
}

function encodeTimestamps(values: readonly Cell[]): Data<DataType> {
  const data = new BigInt64Array(values.length);
  for (let index = 0; index < values.length; index += 1) data[index] = BigInt((values[index] as number | null) ?? 0);
  return makeData({ type: new TimestampMillisecond('UTC'), length: values.length, ...validity(values), data });
}

function encodeIntLists(values: readonly Cell[]): Data<DataType> {
  const items = values.flatMap((value) => (value as readonly number[] | null) ?? []);
  return listData(
    values,
    new Int32(),
    makeData({ type: new Int32(), length: items.length, nullCount: 0, data: Int32Array.from(items) }),
  );
}

function encodeFloatLists(values: readonly Cell[]): Data<DataType> {
  const items = values.flatMap((value) => (value as readonly number[] | null) ?? []);
  return listData(
    values,
    new Float32(),
    makeData({ type: new Float32(), length: items.length, nullCount: 0, data: Float32Array.from(items) }),
  );
}

function listData<T extends Int32 | Float32>(values: readonly Cell[], item: T, child: Data<T>): Data<DataType> {
  const valueOffsets = offsets(values.map((value) => (value as readonly number[] | null)?.length ?? 0));
  const type = new List(new Field('element', item, false));
  return makeData({ type, length: values.length, ...validity(values), valueOffsets, child });
}
