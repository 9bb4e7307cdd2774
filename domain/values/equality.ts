/**
 * Python's `==` on the closed set of encoded types.
 *
 * Each value has a key, a text that is equal for equal values: numbers by their exact worth (1 == 1.0 == True == 1+0j), sets and dicts
 * with sorted members. So comparing costs O(n log n), whatever the nesting.
 */
import type { Value } from '../../schemas/task.ts';
import { type Tagged, tagged } from './value.ts';

/** `unknown`: a value of a type that cannot be compared decides. */
export type Agreement = 'equal' | 'unequal' | 'unknown';

/** Python itself refuses to compare what is nested deeper than its recursion limit of 1,000. */
const maxDepth = 1000;

/** Types whose `==` is identity, so that they never equal a value made in another process. A returned `map` is simply not a list. */
const identityTypes: ReadonlySet<string> = new Set([
  ...['generator', 'coroutine', 'async_generator', 'map', 'filter', 'zip', 'enumerate', 'reversed', 'list_iterator', 'tuple_iterator'],
  ...['list_reverseiterator', 'set_iterator', 'dict_keyiterator', 'dict_valueiterator', 'dict_itemiterator', 'str_iterator'],
  ...[
    'str_ascii_iterator',
    'range_iterator',
    'dict_values',
    'function',
    'builtin_function_or_method',
    'method',
    'module',
    'type',
    'object',
  ],
]);

/** Python's `output == expected`, where NaN never equals anything. */
export function agreement(output: Value, expected: Value): Agreement {
  const left = new KeyWriter('output').keyOf(output);
  const right = new KeyWriter('expected').keyOf(expected);
  if (left === null || right === null) return 'unknown';
  return left === right ? 'equal' : 'unequal';
}

/** A text that two values share exactly when Python's `==` holds; null when that can't be said. `side` keeps NaN unequal to itself. */
export function equalityKey(value: Value, side = ''): string | null {
  return new KeyWriter(side).keyOf(value);
}

/** The number's worth as a text, the same for int, float, bool and real complex. */
function numberKey(value: number, side: string): string {
  if (Number.isNaN(value)) return `nan ${side}`;
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

class KeyWriter {
  readonly #side: string;
  #depth = 0;
  #comparable = true;

  constructor(side: string) {
    this.#side = side;
  }

  keyOf(value: Value): string | null {
    const key = this.#key(value);
    return this.#comparable ? key : null;
  }

  #key(value: Value): string {
    if (this.#depth >= maxDepth) return this.#incomparable();
    this.#depth += 1;
    const key = this.#taggedKey(tagged(value));
    this.#depth -= 1;
    return key;
  }

  #incomparable(): string {
    this.#comparable = false;
    return '?';
  }

  #taggedKey(value: Tagged): string {
    switch (value.kind) {
      case 'none':
        return 'None';
      case 'bool':
        return value.bool ? '1' : '0';
      case 'int':
        return value.digits;
      case 'float':
        return numberKey(value.float, this.#side);
      case 'complex':
        return value.im === 0 ? numberKey(value.re, this.#side) : `${numberKey(value.re, this.#side)}+${numberKey(value.im, this.#side)}j`;
      case 'str':
        return JSON.stringify(value.text);
      case 'bytes':
        return `b${value.hex}`;
      default:
        return this.#containerKey(value);
    }
  }

  #containerKey(value: Extract<Tagged, { kind: 'list' | 'tuple' | 'set' | 'frozenset' | 'dict' | 'other' }>): string {
    switch (value.kind) {
      case 'list':
        return `[${value.items.map((item) => this.#key(item)).join(',')}]`;
      case 'tuple':
        return `(${value.items.map((item) => this.#key(item)).join(',')})`;
      case 'dict':
        return `{${value.entries
          .map(([key, item]) => `${this.#key(key)}:${this.#key(item)}`)
          .sort()
          .join(',')}}`;
      case 'other':
        return identityTypes.has(value.typeName) ? `<${value.typeName} ${this.#side}>` : this.#incomparable();
      default:
        return `s{${[...new Set(value.items.map((item) => this.#key(item)))].sort().join(',')}}`;
    }
  }
}
