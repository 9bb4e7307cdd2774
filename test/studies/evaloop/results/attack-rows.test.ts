import { expect, test } from 'vitest';
import { adjustedAttackRows, attackRows } from '../../../../studies/evaloop/results/attack-rows.ts';
import type { Row } from '../../../../schemas/tables.ts';

/** A row of `loops`: sustained loops, or null for a cell that does not count. */
const loop = (task: number, variant: string, sustained: number | null, more: Row = {}): Row => ({
  run: 'r',
  study: 's',
  model: 'm',
  benchmark: 'b',
  task_id: `T/${task}`,
  language: 'python',
  variant,
  setting: 'default',
  repetition: 0,
  sustained_loops: sustained ?? 0,
  ended_by: sustained === null ? 'excluded' : 'code_failed',
  ended_outcome: sustained === null ? 'missing_dependency' : null,
  simulated: false,
  ...more,
});
const variants = new Map([
  ['case', { attack: 'case', family: 'format' }],
  ['typos-1', { attack: 'typos', family: 'wording' }],
  ['typos-2', { attack: 'typos', family: 'wording' }],
]);
const settings = { maxLoops: 2, seed: 1, variants };

test('ten tasks, hand counted: seven broken and none mended is p = 2 / 2^7, and the loop is compared as well', () => {
  const original = Array.from({ length: 10 }, (_, task) => loop(task, 'original', task === 9 ? 0 : 2));
  const attacked = Array.from({ length: 10 }, (_, task) =>
    loop(task, 'case', task < 7 ? 0 : task === 7 ? 1 : (original[task]?.['sustained_loops'] as number)),
  );
  const [row, ...others] = adjustedAttackRows(attackRows([...attacked, ...original], settings));
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    attack: 'case',
    family: 'format',
    draws: 1,
    pass_at_1_original: 0.9,
    // SciPy: binomtest(9, 10).proportion_ci().
    pass_at_1_original_lo: expect.closeTo(0.554984, 6),
    pass_at_1_original_hi: expect.closeTo(0.9974714, 6),
    pass_at_1: 0.2,
    pass_difference: expect.closeTo(-0.7, 12),
    broken: 7,
    mended: 0,
    p: expect.closeTo(2 / 2 ** 7, 12),
    p_adjusted: expect.closeTo(2 / 2 ** 7, 12),
    // Nine tasks of ten sustain 2 of 2 loops: 9 * 4 / (2 * 10). Under attack one sustains 2 and one 1.
    asl_unweighted_original: expect.closeTo(1.8, 12),
    asl_unweighted: expect.closeTo((4 + 1) / 20, 12),
    n: 10,
    n_unchanged: 0,
    n_excluded: 0,
    reason: null,
  });
  const [lo, hi] = [Number(row?.['pass_difference_lo']), Number(row?.['pass_difference_hi'])];
  expect(lo).toBeLessThan(-0.7);
  expect(hi).toBeGreaterThan(-0.7);
  expect(hi).toBeLessThan(0);
});

test('tasks that are excluded or unchanged by the attack on one side are in no estimate', () => {
  const rows = attackRows(
    [
      ...[0, 1, 2, 3].map((task) => loop(task, 'original', task === 1 ? null : 2)),
      loop(0, 'case', 2),
      loop(1, 'case', 2),
      loop(2, 'case', null),
      loop(3, 'case', null, { ended_outcome: 'not_run' }),
    ],
    settings,
  );
  expect(rows).toEqual([
    expect.objectContaining({ n: 1, n_excluded: 2, n_unchanged: 1, pass_at_1_original: 1, pass_at_1: 1, p: 1 }),
  ]);
});

test('draws of a random attack are averaged within their task', () => {
  const rows = attackRows(
    [
      loop(0, 'original', 2),
      loop(0, 'typos-1', 0),
      loop(0, 'typos-2', 2),
      loop(1, 'original', 0),
      loop(1, 'typos-1', 0),
      loop(1, 'typos-2', 0),
    ],
    settings,
  );
  expect(rows).toEqual([
    expect.objectContaining({
      attack: 'typos',
      draws: 2,
      pass_at_1: 0.25,
      asl_unweighted: 0.5,
      broken: 1,
      mended: 0,
      n: 2,
    }),
  ]);
  expect(String(rows[0]?.['method'])).toContain('sign flips of whole tasks;');
});

test('the p-values of all models and attacks of a study are one family', () => {
  const of = (model: string, attack: string, broken: number): Row[] =>
    Array.from({ length: 10 }, (_, task) => [
      loop(task, 'original', 2, { model }),
      loop(task, attack, task < broken ? 0 : 2, { model }),
    ]).flat();
  const rows = adjustedAttackRows([
    ...attackRows(of('a', 'case', 10), settings),
    ...attackRows(of('b', 'case', 6), settings),
  ]);
  expect(rows.map((row) => [row['model'], row['p_adjusted']])).toEqual([
    ['a', expect.closeTo(2 * (2 / 2 ** 10), 12)],
    ['b', expect.closeTo(2 / 2 ** 6, 12)],
  ]);
});

test('an attack under which no task counts has a row of nulls with the reason', () => {
  expect(adjustedAttackRows(attackRows([loop(0, 'original', null), loop(0, 'case', 1)], settings))).toEqual([
    expect.objectContaining({
      pass_at_1: null,
      pass_difference: null,
      p: null,
      p_adjusted: null,
      n: 0,
      reason: expect.stringContaining('no task'),
    }),
  ]);
});
