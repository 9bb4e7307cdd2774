/** A JSON document in parts: a query's result may exceed the longest string of V8, half a gigabyte. */

const itemsAtOnce = 1_000;

/**
 * Together the text of `JSON.stringify(value, null, 2)`. Long arrays one level below the top come in several parts.
 */
export function* jsonParts(value: unknown): Generator<string> {
  if (!isLong(value)) return yield JSON.stringify(value, null, 2);
  let before = '{';
  for (const [name, one] of Object.entries(value)) {
    if (one === undefined) continue;
    yield `${before}\n  ${JSON.stringify(name)}: `;
    yield* isLongArray(one) ? itemParts(one) : [nested(one, 1)];
    before = ',';
  }
  yield '\n}';
}

const isLongArray = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > itemsAtOnce;

/** True for an object with a long array as a value. */
const isLong = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isLongArray);

function* itemParts(items: readonly unknown[]): Generator<string> {
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    const some = items.slice(start, start + itemsAtOnce);
    yield some.map((item, index) => `${start + index === 0 ? '[' : ','}\n    ${nested(item, 2)}`).join('');
  }
  yield '\n  ]';
}

/** JSON indented for that depth. Line ends inside strings are escaped, so only the indentation changes. */
const nested = (value: unknown, depth: number): string =>
  JSON.stringify(value ?? null, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
