import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import { pageCells } from '../../schemas/plan.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import { planRevision } from '../../studies/plan.ts';

const task = (number: number): Task => ({
  taskId: `T/${number}`,
  sourceTaskId: String(number),
  language: 'python',
  prompt: '"""\nDo it.\nassert f(1) == 1\n"""\n',
  entryPoint: 'f',
  reference: 'def f(x):\n    return x\n',
  suites: [],
  recordSha256: String(number),
});
const tasks = (count: number): Map<string, Task[]> =>
  new Map([['b', Array.from({ length: count }, (_, index) => task(index))]]);

const spec = (models: readonly string[], repetitions = 1): Spec =>
  parseSpec(
    JSON.stringify({
      name: 'n',
      models: models.map((id) => ({ id, provider: 'simulated' })),
      benchmarks: { b: { format: 'evenkeel', path: 'x' } },
      studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'b', repetitions }],
    }),
    's.json',
  );

test('attacks and settings are separate cells, one change each; earlier cells stay', () => {
  const asking = (settings: object): Spec => {
    const { studies, ...rest } = spec(['a'], 2);
    return {
      ...rest,
      studies: studies.map((study) => ({ ...study, settings: { ...study.settings, ...settings } })),
    } as Spec;
  };
  const plain = planRevision(spec(['a'], 2), tasks(1), []);
  const whole = planRevision(
    asking({ attacks: ['case', 'typos'], attackDraws: 2, temperatures: [0.2], sampledRuns: 3 }),
    tasks(1),
    [],
  );
  const cells = whole?.pages.flatMap((page) => page.cells) ?? [];
  expect(cells.map(({ variant, setting, repetition }) => [variant, setting, repetition])).toEqual([
    ...[0, 1].map((repetition) => ['original', 'default', repetition]),
    ...['case', 'typos-1', 'typos-2'].flatMap((variant) =>
      [0, 1].map((repetition) => [variant, 'default', repetition]),
    ),
    ...[0, 1].map((repetition) => ['original', 'temperature_0.2', repetition]),
    ...[0, 1, 2].map((repetition) => ['original', 'sampled', repetition]),
  ]);
  const added = planRevision(asking({ attacks: ['case'] }), tasks(1), plain === null ? [] : [plain]);
  expect(added?.pages.flatMap((page) => page.cells).map(({ variant, repetition }) => [variant, repetition])).toEqual([
    ['case', 0],
    ['case', 1],
  ]);
});

const cellIds = (revision: ReturnType<typeof planRevision>): string[] =>
  (revision?.pages ?? []).flatMap(({ model, cells }) => cells.map((cell) => JSON.stringify([model, cell])));

test('every cell is planned exactly once, in pages of even size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 3 }), (count, repetitions) => {
      const plan = planRevision(spec(['a', 'b/c']), tasks(count), []);
      const repeated = planRevision(spec(['a'], repetitions), tasks(count), []);
      const sizes = plan?.pages.map(({ cells }) => cells.length) ?? [];
      expect(new Set(cellIds(plan)).size).toBe(2 * count);
      expect(cellIds(repeated)).toHaveLength(repetitions * count);
      expect(new Set(plan?.pages.map(({ page }) => page)).size).toBe(sizes.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(pageCells);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 50 },
  );
});

test('the same spec plans the same pages', () => {
  expect(planRevision(spec(['a']), tasks(300), [])).toEqual(planRevision(spec(['a']), tasks(300), []));
});

test('378 tasks are three pages of 126', () => {
  expect(planRevision(spec(['a']), tasks(378), [])?.pages.map(({ cells }) => cells.length)).toEqual([126, 126, 126]);
});

test('an extension plans the added cells only', () => {
  const first = planRevision(spec(['a']), tasks(10), []);
  if (!first) throw new Error('nothing planned');
  const second = planRevision(spec(['a', 'b']), tasks(15), [first]);
  expect(second?.revision).toBe(2);
  expect(cellIds(second).filter((id) => cellIds(first).includes(id))).toEqual([]);
  expect(cellIds(first).length + cellIds(second).length).toBe(30);
  expect(planRevision(spec(['a']), tasks(10), [first])).toBeNull();
});
