/**
 * Python's `==` on the closed set of encoded types.
 *
 * Output and expected value are walked side by side up to the first difference,
 * so a hostile output costs no more than what is expected. Where an order does not count,
 * or numbers are of two types, values are compared by their keys, texts that are equal for equal values:
 * numbers by their exact worth (1 == 1.0 == True == 1+0j), sets and dicts with sorted members.
 */
import type { Value } from '../../schemas/task.ts';
import { isPlainInt, type Tagged, tagged } from './value.ts';

/** `unknown`: a value of a type that cannot be compared decides. */
export type Agreement = 'equal' | 'unequal' | 'unknown';

/** Python itself refuses to compare what is nested deeper than its recursion limit of 1,000. */
const maxDepth = 1000;

/**
 * Types whose `==` is identity, so that they never equal a value made in another process.
 * A returned `map` is simply not a list.
 */
const identityTypes: ReadonlySet<string> = new Set([
  ...[
    'generator',
    'coroutine',
    'async_generator',
    'map',
    'filter',
    'zip',
    'enumerate',
    'reversed',
    'list_iterator',
    'tuple_iterator',
  ],
  ...[
    'list_reverseiterator',
    'set_iterator',
    'dict_keyiterator',
    'dict_valueiterator',
    'dict_itemiterator',
    'str_iterator',
  ],
  ...[
    'str_ascii_iterator',
    'range_iterator',
    'dict_values',
    'function',
    'builtin_function_or_method',
    'method',
    'module',
    'object',
  ],
]);

/**
 * Python's `output == expected`, where NaN never equals anything. What cannot be compared makes all that holds it
 * `unknown`, also behind a difference: only then the rest is looked through, once and without a copy.
 */
export function agreement(output: Value, expected: Value): Agreement {
  const compared = compare(output, expected, 0);
  if (compared !== 'unequal') return compared;
  return isComparable(output) && isComparable(expected) ? 'unequal' : 'unknown';
}

/**
 * A text that two values share exactly when Python's `==` holds; null when that can't be said. `side` keeps NaN unequal
 * to itself.
 */
export function equalityKey(value: Value, side = ''): string | null {
  return new KeyWriter(side).keyOf(value, 0);
}

/** An output's key; null also when it is longer than `length`, which is found out without writing all of it. */
export function outputKeyUpTo(length: number, output: Value): string | null {
  return new KeyWriter('output', length).keyOf(output, 0);
}

/** Whether the value and all that it holds is of a type, and no deeper, than can be compared. */
export function isComparable(value: Value, depth = 0): boolean {
  if (depth >= maxDepth) return false;
  if (isPlainInt(value)) return true;
  const read = tagged(value);
  if (read.kind === 'other') return identityTypes.has(read.typeName);
  if (read.kind === 'dict') return read.entries.every((entry) => areComparable(entry, depth + 1));
  return 'items' in read ? areComparable(read.items, depth + 1) : true;
}

function areComparable(items: readonly Value[], depth: number): boolean {
  for (const item of items) if (!isComparable(item, depth)) return false;
  return true;
}

/** As `agreement`, but a difference is the end, whatever comes behind it. */
function compare(output: Value, expected: Value, depth: number): Agreement {
  if (depth >= maxDepth) return 'unknown';
  if (isPlainInt(output) && isPlainInt(expected)) return agreementIf(output === expected);
  const [left, right] = [tagged(output), tagged(expected)];
  if (left.kind === 'str' && right.kind === 'str') return agreementIf(left.text === right.text);
  if (left.kind === 'float' && right.kind === 'float') return agreementIf(left.float === right.float);
  if ((left.kind === 'list' && right.kind === 'list') || (left.kind === 'tuple' && right.kind === 'tuple'))
    return compareItems(left.items, right.items, depth + 1);
  return compareKeys(left, right, depth);
}

const agreementIf = (holds: boolean): Agreement => (holds ? 'equal' : 'unequal');

function compareItems(output: readonly Value[], expected: readonly Value[], depth: number): Agreement {
  if (output.length !== expected.length) return 'unequal';
  for (const [index, item] of expected.entries()) {
    const compared = compare(output[index] as Value, item, depth);
    if (compared !== 'equal') return compared;
  }
  return 'equal';
}

/**
 * A null key of the expected value cannot be compared; one of the output may be too long for it, which makes no
 * difference here.
 */
function compareKeys(output: Tagged, expected: Tagged, depth: number): Agreement {
  const right = new KeyWriter('expected').taggedKeyOf(expected, depth);
  return agreementIf(right !== null && new KeyWriter('output', right.length).taggedKeyOf(output, depth) === right);
}

/** The number's worth as a text, the same for int, float, bool and real complex. */
function numberKey(value: number, side: string): string {
  if (Number.isNaN(value)) return `nan ${side}`;
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function complexKey(re: number, im: number, side: string): string {
  return im === 0 ? numberKey(re, side) : `${numberKey(re, side)}+${numberKey(im, side)}j`;
}

class KeyWriter {
  readonly #side: string;
  /** Characters that the key may have, commas aside. */
  #limit: number;
  #written = 0;
  /** Once there can be no key, nothing more is written. */
  #ended = false;

  constructor(side: string, limit = Number.POSITIVE_INFINITY) {
    this.#side = side;
    this.#limit = limit;
  }

  /** `depth`: how deep the value itself lies. */
  keyOf(value: Value, depth: number): string | null {
    const key = this.#key(value, depth);
    return this.#ended ? null : key;
  }

  taggedKeyOf(value: Tagged, depth: number): string | null {
    const key = this.#taggedKey(value, depth + 1);
    return this.#ended ? null : key;
  }

  #key(value: Value, depth: number): string {
    if (depth >= maxDepth) return this.#end();
    if (isPlainInt(value)) return this.#taken(String(value));
    return this.#taggedKey(tagged(value), depth + 1);
  }

  #end(): string {
    this.#ended = true;
    return '';
  }

  #taken(key: string): string {
    this.#written += key.length;
    return this.#written > this.#limit ? this.#end() : key;
  }

  /** `depth` is that of what the value holds. */
  #taggedKey(value: Tagged, depth: number): string {
    switch (value.kind) {
      case 'none':
        return this.#taken('None');
      case 'bool':
        return this.#taken(value.bool ? '1' : '0');
      case 'int':
        return this.#taken(value.digits);
      case 'float':
        return this.#taken(numberKey(value.float, this.#side));
      case 'complex':
        return this.#taken(complexKey(value.re, value.im, this.#side));
      case 'str':
        return this.#written + value.text.length > this.#limit ? this.#end() : this.#taken(JSON.stringify(value.text));
      case 'bytes':
        return this.#taken(`b${value.hex}`);
      default:
        return this.#containerKey(value, depth);
    }
  }

  #containerKey(
    value: Extract<Tagged, { kind: 'list' | 'tuple' | 'set' | 'frozenset' | 'dict' | 'other' }>,
    depth: number,
  ): string {
    this.#taken('()');
    switch (value.kind) {
      case 'list':
        return `[${this.#keys(value.items, depth).join(',')}]`;
      case 'tuple':
        return `(${this.#keys(value.items, depth).join(',')})`;
      case 'dict':
        return `{${this.#entryKeys(value.entries, depth).sort().join(',')}}`;
      case 'other':
        return identityTypes.has(value.typeName) ? `<${value.typeName} ${this.#side}>` : this.#end();
      default:
        return `s{${[...this.#members(value.items, depth)].sort().join(',')}}`;
    }
  }

  #keys(items: readonly Value[], depth: number): string[] {
    const keys: string[] = [];
    for (const item of items) {
      if (this.#ended) break;
      keys.push(this.#key(item, depth));
    }
    return keys;
  }

  #entryKeys(entries: readonly (readonly [Value, Value])[], depth: number): string[] {
    const keys: string[] = [];
    for (const [key, item] of entries) {
      if (this.#ended) break;
      keys.push(`${this.#key(key, depth)}:${this.#key(item, depth)}`);
    }
    return keys;
  }

  /**
   * A member that comes twice takes no more room than once. To be known again, it may be as long as the longest that
   * there is, where less room is left.
   */
  #members(items: readonly Value[], depth: number): Set<string> {
    const members = new Set<string>();
    const limit = this.#limit;
    let longest = 0;
    for (const item of items) {
      if (this.#ended) break;
      const before = this.#written;
      this.#limit = Math.max(limit, before + longest);
      const key = this.#key(item, depth);
      if (members.has(key)) this.#written = before;
      members.add(key);
      longest = Math.max(longest, this.#written - before);
      if (this.#written > limit) this.#end();
    }
    this.#limit = limit;
    return members;
  }
}
