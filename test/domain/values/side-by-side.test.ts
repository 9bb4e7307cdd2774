/** Output and expected value are compared side by side: with the verdicts of comparing wholes, but less work. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertAgreement } from '../../../domain/values/assert-check.ts';
import { allClose } from '../../../domain/values/closeness.ts';
import { agreement } from '../../../domain/values/equality.ts';
import { setAgreement } from '../../../domain/values/members.ts';
import type { Value } from '../../../schemas/task.ts';
import { plainAgreement, plainClose, plainSetAgreement, plainTupleAgreement } from './plain-comparison.ts';

const numbers: readonly Value[] = [
  ...[0, 1, -1, 2, 3, 97, 98, true, false, 9007199254740992],
  ...['0.0', '-0.0', '1.0', '2.0', '0.5', '1.00000001', '1e+23', '1e+308', 'nan', 'inf', '-inf'].map((f) => ({ f })),
  ...[
    '9007199254740993',
    '18446744073709551615',
    '18446744073709551616',
    '-9223372036854775809',
    '100000000000000000000000',
  ].map((i) => ({
    i,
  })),
  ...(
    [
      ['1.0', '0.0'],
      ['1.0', '-0.0'],
      ['1.0', '2.0'],
      ['1.00000001', '2.0'],
      ['nan', '0.0'],
      ['0.0', 'inf'],
    ] as const
  ).map((c) => ({ c })),
];
const others: readonly Value[] = [null, '', 'a', 'ab', 'ba', '1', { b: '' }, { b: '61' }, { b: '6162' }, { x: 'map' }];
const incomparable: readonly Value[] = [{ x: 'Decimal' }];

const number = fc.constantFrom(...numbers);
const leaf = fc.oneof(
  { weight: 12, arbitrary: number },
  { weight: 4, arbitrary: fc.constantFrom(...others) },
  { weight: 1, arbitrary: fc.constantFrom(...incomparable) },
);

const { value } = fc.letrec<{ value: Value; items: readonly Value[] }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('items'),
    tie('items').map((t) => ({ t })),
    tie('items').map((s) => ({ s })),
    tie('items').map((fs) => ({ fs })),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map((d) => ({ d })),
  ),
  items: fc.array(tie('value'), { maxLength: 4 }),
}));

/** Numbers in lists and tuples of one shape, which closeness compares. */
const array = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }).chain((shape) => arrayOf(shape));

function arrayOf([length, ...inner]: readonly number[]): fc.Arbitrary<Value> {
  if (length === undefined) return number;
  const items = fc.array(arrayOf(inner), { minLength: length, maxLength: length });
  return fc.tuple(items, fc.boolean()).map(([list, isTuple]) => (isTuple ? { t: list } : list));
}

/**
 * The value with some parts changed, so that pairs are similar for long, and differ at any place. `at` is a source of
 * numbers.
 */
function changed(whole: Value, at: () => number): Value {
  const kind = at();
  if (kind < 0.06) return numbers[Math.floor(at() * numbers.length)] as Value;
  if (whole === null || typeof whole !== 'object')
    return kind < 0.15 ? (others[Math.floor(at() * others.length)] as Value) : whole;
  if (Array.isArray(whole)) return kind < 0.15 ? { t: whole } : changedItems(whole, at);
  const [tag, content] = Object.entries(whole)[0] as [string, Value];
  if (!Array.isArray(content) || tag === 'c') return whole;
  if (tag === 't' && kind < 0.15) return content;
  if (tag === 'd')
    return {
      d: changedItems(content, at, (pair) => changedItems(pair as Value[], at, changed, false)),
    } as unknown as Value;
  return { [tag]: changedItems(content, at) } as unknown as Value;
}

function changedItems(
  items: readonly Value[],
  at: () => number,
  change: (item: Value, at: () => number) => Value = changed,
  resized = true,
): Value[] {
  const made = items.map((item) => change(item, at));
  const kind = resized ? at() : 1;
  if (kind < 0.06) made.pop();
  else if (kind < 0.1 && made[0] !== undefined) made.push(made[0]);
  else if (kind < 0.25) made.reverse();
  return made;
}

const pairOf = (whole: fc.Arbitrary<Value>): fc.Arbitrary<readonly [Value, Value]> =>
  fc.oneof(
    fc.tuple(whole, whole),
    fc.tuple(whole, fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))).map(([one, stream]) => {
      return [changed(one, () => stream.next().value as number), one] as const;
    }),
  );

const runs = { numRuns: 4000 };

describe('comparing values side by side agrees with comparing them as wholes', () => {
  it('of equality', () => {
    fc.assert(
      fc.property(pairOf(fc.oneof(value, array)), ([output, expected]) => {
        expect(agreement(output, expected)).toBe(plainAgreement(output, expected));
      }),
      runs,
    );
  });

  it('of closeness', () => {
    fc.assert(
      fc.property(
        pairOf(fc.oneof({ weight: 3, arbitrary: array }, { weight: 1, arbitrary: value })),
        fc.constantFrom(0, 1e-6, 2),
        ([output, expected], atol) => {
          expect(allClose(output, expected, atol)).toBe(plainClose(output, expected, atol));
        },
      ),
      runs,
    );
  });

  it('of sets and tuples of iterated values', () => {
    fc.assert(
      fc.property(pairOf(value), ([output, expected]) => {
        expect(setAgreement(output, expected)).toBe(plainSetAgreement(output, expected));
        expect(assertAgreement('tuple', output, expected)).toBe(plainTupleAgreement(output, expected));
      }),
      runs,
    );
  });
});

const nested = (depth: number, inner: Value): Value => (depth === 0 ? inner : [nested(depth - 1, inner)]);

describe('at the edges of shapes', () => {
  it.each<readonly [string, Value, Value, boolean]>([
    ['[] and []', [], [], true],
    ['[] and ()', [], { t: [] }, true],
    ['[] and [[]]', [], [[]], false],
    ['[[], []] and [(), []]', [[], []], [{ t: [] }, []], true],
    ['[[], []] and [[]]', [[], []], [[]], false],
    ['[[], [1]] is ragged, and not close to itself', [[], [1]], [[], [1]], false],
    ['[1, [1]] is ragged as well', [1, [1]], [1, [1]], false],
    ['[[1], 1] too', [[1], 1], [[1], 1], false],
    ['[[[]], [[1]]] too', [[[]], [[1]]], [[[]], [[1]]], false],
    [
      'a difference of shape that comes late',
      [[1, 2], [3]],
      [
        [1, 2],
        [3, 4],
      ],
      false,
    ],
    ['64 dimensions', nested(64, 1), nested(64, 1), true],
    ['65 dimensions', nested(65, 1), nested(65, 1), false],
    ['64 dimensions, the last one empty', nested(63, []), nested(63, []), true],
    ['65 dimensions, the last one empty', nested(64, []), nested(64, []), false],
    ['no number', [[null]], [[null]], false],
  ])('%s', (_what, output, expected, close) => {
    expect(allClose(output, expected, 1e-6)).toBe(close);
    expect(plainClose(output, expected, 1e-6)).toBe(close);
  });
});

/** A list that counts how often an item of it is read. */
function watched(items: readonly Value[]): { readonly list: readonly Value[]; readonly reads: () => number } {
  let reads = 0;
  const get = (target: readonly Value[], key: string | symbol): unknown => {
    if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
    return Reflect.get(target, key);
  };
  return { list: new Proxy(items, { get }), reads: () => reads };
}

const many = 50_000;
const wide = (): ReturnType<typeof watched> => watched(Array.from({ length: many }, (_, index) => index + 7));

describe('a hostile output costs no more than the expected value, or one pass over it', () => {
  it.each<readonly [string, Value]>([
    ['fewer numbers', [7, 7]],
    ['rows', Array.from({ length: many }, (): Value => [7])],
    ['ragged rows', [[7], [7, 7]]],
    ['another number at first', Array.from({ length: many }, (): Value => 8)],
  ])('closeness to %s', (_what, expected) => {
    const { list, reads } = wide();
    expect(allClose(list, expected, 1e-6)).toBe(false);
    expect(allClose(nested(60, list), nested(60, expected), 1e-6)).toBe(false);
    expect(reads()).toBeLessThanOrEqual(2);
  });

  it.each<readonly [string, (list: readonly Value[]) => Value, Value]>([
    ['a list', (list) => list, [7, 7]],
    ['a nested list', (list) => nested(60, list), nested(60, [7])],
    ['a set', (list) => ({ s: list }), { s: [1, 2] }],
    ['a set that holds a tuple', (list) => ({ s: [{ t: list }] }), { s: [{ t: [7, 7] }] }],
    ['a dict', (list) => ({ d: [['a', list]] }), { d: [['a', [7]]] }],
    ['a list for a text', (list) => list, 'a'],
  ])('equality of %s', (_what, output, expected) => {
    const { list, reads } = wide();
    expect(agreement(output(list), expected)).toBe('unequal');
    expect(reads()).toBeLessThanOrEqual(many + 20);
  });

  it('equality as sets stops at the first item that is not expected', () => {
    const { list, reads } = wide();
    expect(setAgreement(list, [1, 2])).toBe('unequal');
    expect(reads()).toBeLessThanOrEqual(many + 1);
  });

  it('an item of 50,000 parts is not a member of a set of short ones, and is not traversed', () => {
    const { list, reads } = wide();
    expect(setAgreement([{ t: list }], [{ t: [7, 7] }])).toBe('unequal');
    expect(reads()).toBeLessThanOrEqual(many + 20);
  });
});

describe('a member of a set that an output repeats counts once, where no room is left for two', () => {
  it.each<readonly [string, readonly Value[], readonly Value[]]>([
    ['the same text', ['1', '1'], ['1']],
    ['1 and True', [12, 1, true], [1, 12]],
    ['the same pair', [{ t: ['a', 1] }, { t: ['a', 1] }], [{ t: ['a', 1] }]],
  ])('%s', (_what, output, expected) => {
    expect(agreement({ s: output }, { s: expected })).toBe('equal');
    expect(setAgreement([{ fs: output }], [{ fs: expected }])).toBe('equal');
  });
});

describe('long texts', () => {
  // Trying every way to split them would take hours.
  it.each<Value>([{ i: `${'0'.repeat(3e6)}x` }, { f: `${'0'.repeat(3e6)}x` }, { b: `${'0'.repeat(3e6)}x` }])(
    'of a number that is none end in an error, number %#',
    (value) => {
      expect(() => agreement(value, 1)).toThrow();
    },
  );

  it.each<readonly [string, string, number, string]>([
    [`1${'0'.repeat(311)}`, '1', 1.7e308, 'unequal'],
    [`1${'0'.repeat(400)}`, `1${'0'.repeat(400)}`, 1, 'equal'],
    [`-1${'0'.repeat(400)}`, `1${'0'.repeat(400)}`, 1, 'unequal'],
    [`1${'0'.repeat(402)}`, `1${'0'.repeat(400)}`, 1.7e308, 'unequal'],
    [`1${'0'.repeat(403)}`, `1${'0'.repeat(400)}`, 1.7e308, 'unequal'],
    [`1${'0'.repeat(320)}`, '0', Number.POSITIVE_INFINITY, 'equal'],
    [`1${'0'.repeat(308)}`, '0', 1.7e308, 'equal'],
  ])('ints beyond floats are as far apart as they are, number %#', (output, expected, below, verdict) => {
    expect(assertAgreement({ below }, { i: output }, { i: expected })).toBe(verdict);
  });
});
