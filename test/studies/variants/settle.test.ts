import { expect, test } from 'vitest';
import { originalOf } from '../../../studies/variants/invariance.ts';
import { type Draw, refusalText, settle } from '../../../studies/variants/settle.ts';

const prompt = (text: string): string => `"""\n${text}\nassert f(1) == 2\n"""\n`;
const words = 'Write a function to add one to a value.';
const original = originalOf(prompt(words), 'f');
const slots = ['a', 'b', 'c'].map((variant) => ({ variant, group: '0.1' }));
const drawn = (draws: readonly (readonly string[])[]) => (slot: number, round: number) => {
  const text = draws[slot]?.[round];
  return text === undefined ? undefined : ({ prompt: prompt(text) } satisfies Draw);
};

test('the first draw of a slot that keeps to the rules is taken, with its measured distance', () => {
  const { settled, open } = settle(original, slots.slice(0, 1), 3, drawn([[`Ugh, ${words}`]]));
  expect(open).toEqual([]);
  expect(settled[0]).toEqual({
    accepted: { prompt: prompt(`Ugh, ${words}`), editDistance: 1 / 10, words: 10 },
    attempts: 1,
    refused: [],
  });
});

test('open slots of a round are named together, and only they', () => {
  expect(settle(original, slots, 3, () => undefined)).toMatchObject({ open: [0, 1, 2], round: 0 });
  const second = settle(
    original,
    slots,
    3,
    drawn([['Kindly write a function to add one to a value.'], [words], ['Write 5.']]),
  );
  expect(second).toMatchObject({ open: [1, 2], round: 1 });
  expect(second.settled.map(({ refused }) => refused)).toEqual([[], ['near duplicate'], ['added 5']]);
});

test('a draw like an earlier one of its group is a near duplicate, and in another group it is not', () => {
  const twice = drawn([[`Well, ${words}`], [`well   ${words.replace('.', '')}`], [`Well, ${words}`]]);
  expect(settle(original, slots, 1, twice).settled.map(({ accepted }) => accepted !== null)).toEqual([
    true,
    false,
    false,
  ]);
  const apart = slots.map((slot, index) => ({ ...slot, group: String(index) }));
  expect(settle(original, apart, 1, twice).settled.map(({ accepted }) => accepted !== null)).toEqual([
    true,
    true,
    true,
  ]);
});

test('draws that always break the rules end at the limit, missing, with the reasons counted', () => {
  const { settled, open } = settle(original, slots.slice(0, 1), 3, drawn([['Write 5.', 'Write 5.', words]]));
  expect(open).toEqual([]);
  expect(settled[0]).toMatchObject({ accepted: null, attempts: 3 });
  expect(refusalText(settled[0]?.refused ?? [])).toBe('added 5 (2), near duplicate (1)');
});

test('a draw without a prompt is refused for its own reason', () => {
  const { settled } = settle(original, slots.slice(0, 1), 1, () => ({ fault: 'refusal' }));
  expect(settled[0]).toMatchObject({ accepted: null, refused: ['refusal'] });
});
