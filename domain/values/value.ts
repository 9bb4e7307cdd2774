/** Reading and making encoded Python values (`Value` of schemas/task.ts). */
import type { Value } from '../../schemas/task.ts';
import { ExactNumber, plainKey } from './exact-json.ts';

/** A text or object that is no encoded Python value. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}

/** The one-letter keys of encoded values, and `list`, `str`, `int`, `bool`, `none` for the plain ones. */
export type Tagged =
  | { readonly kind: 'none' }
  | { readonly kind: 'bool'; readonly bool: boolean }
  | { readonly kind: 'int'; readonly digits: string }
  | { readonly kind: 'float'; readonly float: number }
  | { readonly kind: 'complex'; readonly re: number; readonly im: number }
  | { readonly kind: 'str'; readonly text: string }
  | { readonly kind: 'bytes'; readonly hex: string }
  | { readonly kind: 'list' | 'tuple' | 'set' | 'frozenset'; readonly items: readonly Value[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Value, Value])[] }
  | { readonly kind: 'other'; readonly typeName: string };

/** Python's `float(text)` for the texts that `repr` writes. Throws on anything else. */
export function parseFloatText(text: string): number {
  if (text === 'inf') return Number.POSITIVE_INFINITY;
  if (text === '-inf') return Number.NEGATIVE_INFINITY;
  if (text === 'nan' || text === '-nan') return Number.NaN;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text))
    throw new ValueError(`a float's text is Python's repr, got ${text.slice(0, 40)}`);
  return Number(text);
}

/** Python's `repr` of a float: the shortest digits that read back, with an exponent below 1e-4 and from 1e16. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-4 && size < 1e16)) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** Python's `int(text)` on digits with an optional sign, as digits without leading zeros. */
function normalDigits(text: string): string {
  if (!/^[+-]?\d+$/.test(text)) throw new ValueError(`an int's text is decimal digits, got ${text.slice(0, 40)}`);
  const digits = text.replace(/^[+-]?0*(?=\d)/, '');
  return text.startsWith('-') && digits !== '0' ? `-${digits}` : digits;
}

/** An int in its encoding: a number up to 2^53, digits beyond. */
function intValue(text: string): Value {
  const digits = normalDigits(text);
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : { i: digits };
}

/** What Python's `json.load` would make of this (from `parseExactJson`). Throws on what JSON does not have. */
export function valueOfJson(json: unknown): Value {
  if (json === null || typeof json === 'boolean' || typeof json === 'number' || typeof json === 'string') return json;
  if (json instanceof ExactNumber) return numberValue(json.source);
  if (Array.isArray(json)) return json.map(valueOfJson);
  if (typeof json === 'object')
    return { d: Object.entries(json).map(([key, item]) => [plainKey(key), valueOfJson(item)] as const) };
  throw new ValueError(`JSON has no ${typeof json}`);
}

function numberValue(source: string): Value {
  return /^-?\d+$/.test(source) ? intValue(source) : { f: floatText(parseFloatText(source)) };
}

/** The value's type and content. Throws on anything that is not an encoded value. Looks one level deep only. */
export function tagged(value: Value): Tagged {
  if (value === null) return { kind: 'none' };
  if (typeof value === 'boolean') return { kind: 'bool', bool: value };
  if (typeof value === 'string') return { kind: 'str', text: value };
  if (typeof value === 'number') return taggedNumber(value);
  if (isList(value)) return { kind: 'list', items: value };
  return taggedObject(value);
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** 2^53 itself comes from the sandbox, which writes larger ints as digits. */
export function isPlainInt(value: Value): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 53;
}

function taggedNumber(value: number): Tagged {
  if (!isPlainInt(value)) throw new ValueError(`plain numbers are ints up to 2^53, write {"f":"${floatText(value)}"}`);
  return { kind: 'int', digits: String(value) };
}

function taggedObject(value: object): Tagged {
  const [tag, ...rest] = Object.keys(value);
  if (tag === undefined || rest.length > 0) throw new ValueError('an encoded value is an object with exactly one key');
  const content = (value as Readonly<Record<string, unknown>>)[tag];
  const read = Object.hasOwn(readers, tag) ? readers[tag] : undefined;
  if (read === undefined)
    throw new ValueError(`an encoded value's key is one of ${writtenKeys().join(', ')}, got ${tag.slice(0, 40)}`);
  return read(content);
}

/** Those that a benchmark may use: `x` is for what a program returned, and stands for no value that can be compared. */
const writtenKeys = (): string[] => Object.keys(readers).filter((key) => key !== 'x');

const readers: Readonly<Record<string, (content: unknown) => Tagged>> = {
  i: (content) => ({ kind: 'int', digits: normalDigits(textOf(content)) }),
  f: (content) => ({ kind: 'float', float: parseFloatText(textOf(content)) }),
  t: (content) => ({ kind: 'tuple', items: itemsOf(content) }),
  s: (content) => ({ kind: 'set', items: itemsOf(content) }),
  fs: (content) => ({ kind: 'frozenset', items: itemsOf(content) }),
  d: (content) => ({ kind: 'dict', entries: entriesOf(content) }),
  b: (content) => ({ kind: 'bytes', hex: hexOf(content) }),
  c: (content) => complexOf(content),
  x: (content) => ({ kind: 'other', typeName: textOf(content) }),
};

function textOf(content: unknown): string {
  if (typeof content !== 'string') throw new ValueError(`expected a text, got ${typeof content}`);
  return content;
}

function itemsOf(content: unknown): readonly Value[] {
  if (!Array.isArray(content)) throw new ValueError(`expected a list, got ${typeof content}`);
  return content;
}

/** As they stand, not copied. */
function entriesOf(content: unknown): readonly (readonly [Value, Value])[] {
  const entries = itemsOf(content) as readonly unknown[];
  if (!entries.every((entry) => Array.isArray(entry) && entry.length === 2))
    throw new ValueError("a dict's entries are [key, value] pairs");
  return entries as readonly (readonly [Value, Value])[];
}

function hexOf(content: unknown): string {
  const hex = textOf(content);
  if (hex.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(hex))
    throw new ValueError(`bytes are hex digits, got ${hex.slice(0, 40)}`);
  return hex.toLowerCase();
}

function complexOf(content: unknown): Tagged {
  if (!Array.isArray(content) || content.length !== 2) throw new ValueError('a complex number is ["<re>","<im>"]');
  return { kind: 'complex', re: parseFloatText(textOf(content[0])), im: parseFloatText(textOf(content[1])) };
}
