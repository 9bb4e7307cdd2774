import { expect, test } from 'vitest';
import { pairVerdicts } from '../../../domain/compare/pair-verdicts.ts';
import { comparePairs, type PairOptions } from '../../../domain/compare/pairs.ts';
import { extremesOf, unjudgedAnswers } from '../../../domain/metrics/sides/extremes.ts';
import { meanValues, type SideParts } from '../../../domain/metrics/sides/side-values.ts';
import { uniform } from '../../../domain/random.ts';

const options: PairOptions = {
  ...{ direction: 'higher', range: { kind: 'bounded', lo: 0, hi: 100 }, margin: 0, alpha: 0.05, seed: 1 },
};
const passed = { numerator: 1, denominator: 1 };
const failed = { numerator: 0, denominator: 1 };
const parts = { p: passed, f: failed, u: null } as const;

/** Two models; a letter is an answer: passed, failed, unjudged. A word is a task. */
const tasksOf = (first: string, second: string): SideParts[] => {
  const others = second.split(' ');
  return first
    .split(' ')
    .map((word, task) =>
      [word, others[task] ?? ''].map((own) => [...own].map((letter) => parts[letter as keyof typeof parts])),
    );
};

function compared(tasks: readonly SideParts[], prompts: readonly string[]) {
  const answered = tasks.map((sides) => sides.map((own) => own.map(() => true)));
  const { values, samples } = meanValues(tasks, 100, prompts);
  const extremes = extremesOf(tasks, answered, 100, prompts);
  const [pair] = comparePairs(values, options, extremes);
  const [quick] = pairVerdicts(values, options, extremes);
  return { values, samples, pair, quick, extremes, unjudged: unjudgedAnswers(tasks, answered) };
}

test('draws that one model lacks stay with the other; the shares may be what the unjudged ones allow', () => {
  const found = compared(tasksOf('ppf uup', 'pff puu'), ['same', 'same', 'same']);
  expect(found.values).toEqual([
    [expect.closeTo(200 / 3, 9), 100],
    [expect.closeTo(100 / 3, 9), 100],
  ]);
  expect(found.samples).toEqual([3, 1]);
  expect(found.extremes).toEqual({
    least: [
      [expect.closeTo(200 / 3, 9), expect.closeTo(100 / 3, 9)],
      [expect.closeTo(100 / 3, 9), expect.closeTo(100 / 3, 9)],
    ],
    most: [
      [expect.closeTo(200 / 3, 9), 100],
      [expect.closeTo(100 / 3, 9), 100],
    ],
  });
  expect(found.unjudged).toEqual([2, 2]);
});

test('other prompts are no draws: each needs its partner', () => {
  expect(compared(tasksOf('pfu', 'fup'), ['a', 'b', 'c']).values).toEqual([[100], [0]]);
});

test('if all answers were judged, nothing changes', () => {
  const found = compared(tasksOf('pf pp', 'ff fp'), ['same', 'same']);
  expect([found.extremes, found.values]).toEqual([
    null,
    [
      [50, 100],
      [0, 50],
    ],
  ]);
});

// The first passes 12 tasks that the second fails. 10 against none: p = 2 / 2^10; with two lost instead: 10 against 2.
test.each([
  ['all judged', 0, 2 / 2 ** 12, 'better'],
  ['two may have failed', 2, 2 / 2 ** 10, 'better'],
  ['seven may have failed', 7, 2 / 2 ** 5, 'inconclusive'],
  ['all may have failed', 12, 1, 'inconclusive'],
])('a lead holds with answers at their worst: %s', (_, unjudged, p, verdict) => {
  const words = Array.from({ length: 12 }, (__, task) => (task < unjudged ? 'pu' : 'pp'));
  // Two draws of a task, the second unjudged: judged alone, the task is passed; at worst, half of it.
  const halves = compared(tasksOf(words.join(' '), Array.from({ length: 12 }, () => 'ff').join(' ')), ['s', 's']);
  expect(halves.pair?.verdict).toBe('better');
  const single = words.map((word) => word[1]).join(' ');
  const found = compared(tasksOf(`${single} p p`, `${Array.from({ length: 12 }, () => 'f').join(' ')} p p`), ['s']);
  if (unjudged === 12) expect(found.pair?.verdict).toBe('inconclusive');
  else {
    expect(found.pair?.p).toBeCloseTo(p, 12);
    expect(found.pair?.verdict).toBe(verdict);
    expect(found.quick).toMatchObject({ verdict, p: found.pair?.p });
  }
});

/** Share of simulated comparisons in which the first of two models is called better. */
function claims(first: number, second: number, hides: (passes: boolean, draw: number) => boolean): number {
  const random = uniform(7);
  const rounds = 200;
  let claimed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const tasks = Array.from({ length: 60 }, (): SideParts => {
      const [own, other] = [random() < first, random() < second];
      return [[hides(own, random()) ? null : own ? passed : failed], [other ? passed : failed]];
    });
    if (compared(tasks, ['s']).pair?.verdict === 'better') claimed += 1;
  }
  return claimed / rounds;
}

test('simulated: equal models are not told apart because one hides what it fails; others still are', () => {
  expect(claims(0.5, 0.5, (passes, draw) => !passes && draw < 0.8)).toBeLessThanOrEqual(0.05);
  // Of a hundred answers two are not judged, by chance: 85 against 50 % is seen as without them.
  expect(claims(0.85, 0.5, (_, draw) => draw < 0.02)).toBeGreaterThan(0.9);
  expect(claims(0.85, 0.5, () => false)).toBeGreaterThan(0.9);
});
