import { expect, test } from 'vitest';
import { type CellPart, phrasingSpread, type TaskPair } from '../../../domain/metrics/phrasing-values.ts';
import { linearContributions, logTimes, taskMeans } from '../../../domain/metrics/task-contributions.ts';
import { linearValues } from '../../../domain/metrics/sides/side-values.ts';
import { uniform } from '../../../domain/random.ts';

const passed = (value: 0 | 1 | null): CellPart => (value === null ? null : { numerator: value, denominator: 1 });
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test('the share of a task is over answers that count in both versions; a task without any is omitted', () => {
  const tasks: TaskPair[] = [
    { old: [passed(1), passed(1), passed(null)], now: [passed(0), passed(1), passed(1)] },
    { old: [passed(null)], now: [passed(1)] },
    { old: [passed(0), passed(1), passed(1)], now: [passed(1), passed(null), passed(null)] },
  ];
  expect(taskMeans(tasks, 100)).toEqual([
    { task: 0, old: 100, now: 50 },
    { task: 2, old: 0, now: 100 },
  ]);
});

test('the mean of linear contributions is the AVG over phrasings, even if parts are missing', () => {
  const random = uniform(3);
  const part = (): CellPart =>
    random() < 0.2 ? null : { numerator: Math.floor(5 * random()), denominator: 1 + Math.floor(30 * random()) };
  const tasks = Array.from(
    { length: 25 },
    (): TaskPair => ({ old: [part(), part(), part()], now: [part(), part(), part()] }),
  );
  const values = linearContributions(tasks, 10);
  const common = tasks.map(({ old, now }) => ({
    old: old.map((one, place) => (now[place] === null ? null : one)),
    now: now.map((one, place) => (old[place] === null ? null : one)),
  }));
  for (const version of ['old', 'now'] as const) {
    const average = phrasingSpread(
      common.map((task) => task[version]),
      10,
    ).mean;
    expect(mean(values.map((value) => value[version]))).toBeCloseTo(average ?? Number.NaN, 9);
  }
});

test('for one phrasing with equal line counts, contributions are the densities of the tasks', () => {
  const solution = (messages: number) => [{ numerator: messages, denominator: 20 }];
  const tasks = [
    { old: solution(2), now: solution(0) },
    { old: solution(0), now: solution(6) },
  ];
  expect(linearContributions(tasks, 10)).toEqual([
    { task: 0, old: 1, now: 0 },
    { task: 1, old: 0, now: 3 },
  ]);
});

// Red before: what was shown of a task depended on all tasks of its model, and could be below 0.
test('what is shown of a task is its own total over its own lines, whatever other tasks have', () => {
  const solution = (messages: number, lines: number) => ({ numerator: messages, denominator: lines });
  const found = linearValues(
    [
      [
        [solution(0, 40), solution(2, 60)],
        [solution(0, 10), null],
      ],
      [
        [solution(9, 5), null],
        [solution(1, 5), solution(3, 5)],
      ],
    ],
    10,
  );
  expect(found.shown).toEqual([
    [0, 18],
    [0, 2],
  ]);
  expect(Math.min(...(found.values[0] ?? []))).toBeLessThan(0);
});

test('logarithms of times are over phrasings with times above 0 in both versions', () => {
  const time = (ms: number) => ({ numerator: ms, denominator: 1 });
  const tasks = [
    { old: [time(1), time(4), time(0)], now: [time(2), time(8), time(5)] },
    { old: [time(0)], now: [time(1)] },
  ];
  const [only, ...others] = logTimes(tasks);
  expect(others).toEqual([]);
  expect(only?.old).toBeCloseTo(Math.log(2), 12);
  expect(only?.now).toBeCloseTo(Math.log(4), 12);
});
