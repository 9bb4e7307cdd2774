/** Ways to spoil a file of JSON records: by the grammar of the records, by the text, by the bytes. */
import { gzipSync } from 'node:zlib';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** A kind of file and what its reader demands, written down by hand. */
export interface Grammar {
  /** One JSON value a line; a file that is one document has one. */
  readonly records: readonly Json[];
  /** Fields without which a record means nothing: `suites.base.inputs`. */
  readonly required: readonly string[];
  /** Fields that hold one kind of value only. */
  readonly typed: Readonly<Record<string, Kind>>;
  /** Objects that take known keys only; '' is the record itself. */
  readonly closed: readonly string[];
  /** Whether the same record twice is a fault. */
  readonly unique: boolean;
  /** Bytes that are no UTF-8 become replacement characters, as HTTP clients do it, and are no fault. */
  readonly lenientText?: true;
}

export interface Spoiled {
  readonly bytes: Uint8Array;
  readonly what: string;
  /** Whether accepting it would be wrong whatever else the reader does. */
  readonly mustRefuse: boolean;
  /** From 1; null where the fault belongs to no single line. */
  readonly line: number | null;
}

type Random = () => number;
type Mutation = (grammar: Grammar, random: Random) => Spoiled;

export const textOf = (records: readonly Json[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** One drawn mutation of the grammar's records. */
export function spoiled(grammar: Grammar, random: Random): Spoiled {
  return pick(mutations, random)(grammar, random);
}

const mutations: readonly Mutation[] = [
  (grammar, random) => withoutField(grammar, pick(grammar.required, random), random),
  wrongKind,
  unknownKey,
  oddValue,
  cutOff,
  badUtf8,
  changedByte,
  removedSpan,
  twice,
  deeplyNested,
  otherFile,
  lineEnds,
];

function withoutField(grammar: Grammar, path: string, random: Random): Spoiled {
  return inRecord(grammar, random, `without ${path}`, true, (record) =>
    changed(record, path.split('.'), () => undefined),
  );
}

const samples: Readonly<Record<Kind, readonly Json[]>> = {
  string: ['', 'x', '7'],
  number: [7, -1, 0.5, 1e308],
  boolean: [true, false],
  array: [[], [[]], ['x']],
  object: [{}, { x: 1 }],
};

function wrongKind(grammar: Grammar, random: Random): Spoiled {
  const [path, kind] = pick(Object.entries(grammar.typed), random);
  const others = (Object.keys(samples) as Kind[]).filter((other) => other !== kind);
  const value = pick(samples[pick(others, random)], random);
  const what = `${path} is ${JSON.stringify(value)} in place of a ${kind}`;
  return inRecord(grammar, random, what, true, (record) => changed(record, path.split('.'), () => value));
}

function unknownKey(grammar: Grammar, random: Random): Spoiled {
  if (grammar.closed.length === 0) return oddValue(grammar, random);
  const path = pick(grammar.closed, random);
  const key = pick(['nmae', '__proto__ ', 'constructor', '', 'x'.repeat(300)], random);
  const add = (value: Json | undefined): Json => ({ ...(value as object), [key]: 1 });
  return inRecord(
    grammar,
    random,
    `${path || 'the record'} with the key ${JSON.stringify(key.slice(0, 20))}`,
    true,
    (record) => (path === '' ? add(record) : changed(record, path.split('.'), add)),
  );
}

const odd: readonly Json[] = [
  null,
  '',
  ' ',
  '\u0000',
  '\u001b[31mred\u001b[0m',
  '\ud800',
  '<script>alert(1)</script>',
  -0,
  Number.POSITIVE_INFINITY,
  5e-324,
  2 ** 53,
  -1,
  0.1,
  [],
  {},
  [[[]]],
  'x'.repeat(100_000),
  Array.from({ length: 1_000 }, () => null),
];

/** Whatever the reader makes of it: no crash. */
function oddValue(grammar: Grammar, random: Random): Spoiled {
  const value = pick(odd, random);
  return inRecord(grammar, random, `an odd value: ${String(JSON.stringify(value)).slice(0, 40)}`, false, (record) =>
    changed(record, pick(pathsOf(record), random), () => value),
  );
}

/** A record whose end is missing is no JSON. */
function cutOff({ records }: Grammar, random: Random): Spoiled {
  const lines = textOf(records).trimEnd().split('\n');
  const index = Math.floor(random() * lines.length);
  const line = lines[index] ?? '';
  const kept = line.slice(0, 1 + Math.floor(random() * (line.length - 1)));
  const text = [...lines.slice(0, index), kept].join('\n');
  return { bytes: Buffer.from(text), what: `cut off in line ${index + 1}`, mustRefuse: true, line: index + 1 };
}

function badUtf8({ records, lenientText }: Grammar, random: Random): Spoiled {
  const bytes = Buffer.from(textOf(records));
  const at = 1 + Math.floor(random() * (bytes.length - 1));
  const bad = pick([[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]], random);
  const spoiledBytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(bad), bytes.subarray(at)]);
  const line = bytes.subarray(0, at).toString().split('\n').length;
  return {
    bytes: spoiledBytes,
    what: `bytes that are no UTF-8 in line ${line}`,
    mustRefuse: lenientText !== true,
    line,
  };
}

function changedByte({ records }: Grammar, random: Random): Spoiled {
  const bytes = Buffer.from(textOf(records));
  const at = Math.floor(random() * bytes.length);
  bytes[at] = Math.floor(random() * 256);
  return { bytes, what: `byte ${at} changed`, mustRefuse: false, line: null };
}

function removedSpan({ records }: Grammar, random: Random): Spoiled {
  const bytes = Buffer.from(textOf(records));
  const at = Math.floor(random() * bytes.length);
  const length = 1 + Math.floor(random() * 40);
  const kept = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
  return { bytes: kept, what: `${length} bytes removed at ${at}`, mustRefuse: false, line: null };
}

function twice({ records, unique }: Grammar, random: Random): Spoiled {
  const again = [...records, pick(records, random)];
  return {
    bytes: Buffer.from(textOf(again)),
    what: 'a record twice',
    mustRefuse: unique,
    line: unique ? again.length : null,
  };
}

/** A parser that recurses ends with a full stack. */
function deeplyNested(grammar: Grammar, random: Random): Spoiled {
  const record = pick(grammar.records, random);
  const path = pick(pathsOf(record), random);
  const marker = '"deep-marker"';
  const text = textOf(grammar.records.map((one) => (one === record ? changed(one, path, () => 'deep-marker') : one)));
  const depth = pick([200, 5_000, 100_000], random);
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  return {
    bytes: Buffer.from(text.replace(marker, nested)),
    what: `${depth} lists deep`,
    mustRefuse: false,
    line: null,
  };
}

const otherFiles: readonly (readonly [string, Uint8Array])[] = [
  ['nothing', Buffer.alloc(0)],
  ['blank lines', Buffer.from('\n \n\t\n')],
  ['HTML', Buffer.from('<!doctype html><html><body>404</body></html>\n')],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])],
  ['a word', Buffer.from('null\n')],
  ['a number', Buffer.from('12\n')],
  ['a text', Buffer.from('"x"\n')],
  ['gzip that is cut off', gzipSync(Buffer.from('{"a":1}\n')).subarray(0, 12)],
  ['gzip of nothing', gzipSync(Buffer.alloc(0))],
  ['zeros', Buffer.alloc(4_096)],
  ['UTF-16', Buffer.from('\ufeff{"a":1}\n', 'utf16le')],
];

function otherFile(_grammar: Grammar, random: Random): Spoiled {
  const [what, bytes] = pick(otherFiles, random);
  return { bytes, what: `another file: ${what}`, mustRefuse: true, line: null };
}

/** Harmless: a byte order mark, or lines that end as on Windows. */
function lineEnds({ records }: Grammar, random: Random): Spoiled {
  const text = textOf(records);
  const other = pick([`\ufeff${text}`, text.replaceAll('\n', '\r\n'), `${text}\n\n\n`, text.trimEnd()], random);
  return { bytes: Buffer.from(other), what: 'other line ends', mustRefuse: false, line: null };
}

function inRecord(
  { records }: Grammar,
  random: Random,
  what: string,
  mustRefuse: boolean,
  change: (record: Json) => Json,
): Spoiled {
  const index = Math.floor(random() * records.length);
  const text = textOf(records.map((record, place) => (place === index ? change(record) : record)));
  return { bytes: Buffer.from(text), what, mustRefuse, line: index + 1 };
}

/** A copy with another value at the path; `undefined` takes the field away. A path that is not there stays as it is. */
function changed(value: Json, path: readonly string[], change: (old: Json | undefined) => Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return change(value) ?? null;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (String(index) === key ? changed(item, rest, change) : item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, old]): [string, Json][] => {
    if (name !== key) return [[name, old]];
    const now = rest.length === 0 ? change(old) : changed(old, rest, change);
    return now === undefined ? [] : [[name, now]];
  });
  return Object.fromEntries(entries);
}

function pathsOf(value: Json, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...at]];
  const inner = Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...at, key]));
  return at.length === 0 ? inner : [[...at], ...inner];
}

function pick<T>(list: readonly T[], random: Random): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
