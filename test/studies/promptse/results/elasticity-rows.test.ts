import { expect, test } from 'vitest';
import { aucERows } from '../../../../studies/promptse/results/elasticity/auc-e-rows.ts';
import { elasticityRows } from '../../../../studies/promptse/results/elasticity/elasticity-rows.ts';
import { type Row, tables } from '../../../../schemas/tables.ts';

const key = {
  run: 'r',
  study: 's',
  model: 'm',
  benchmark: 'b',
  language: 'python',
  setting: 'default',
  simulated: true,
};

/** Of `n` samples `passed` passed; with `soft` also a SoftExec. */
const score = (task: string, variant: string, repetition: number, passed: number, soft: number | null, n = 4): Row => ({
  ...key,
  task_id: task,
  variant,
  repetition,
  distance: variant === 'original' ? null : Number(variant.slice(1, 4)),
  emotion: variant === 'original' ? null : 'calm',
  edit_distance: variant === 'original' ? null : 0.1,
  n_samples: n,
  n_passed: passed,
  n_excluded: 0,
  n_without_logprobs: soft === null ? n : 0,
  pass_rate: n === 0 ? null : passed / n,
  soft_exec: soft,
});

/** Task A: steady at 0.1, both sides at 0.2, lost at 0.3. Task B never changes. */
const scores: Row[] = [
  score('A', 'original', 0, 2, 0.5),
  score('A', 'original', 1, 2, 0.7),
  score('A', 'd0.1-01', 0, 2, 0.5),
  score('A', 'd0.1-02', 0, 2, 0.5),
  score('A', 'd0.2-01', 0, 4, 1),
  score('A', 'd0.2-02', 0, 0, 0),
  score('A', 'd0.3-01', 0, 0, 0.25),
  score('B', 'original', 0, 4, 1),
  score('B', 'original', 1, 4, 1),
  ...['d0.1-01', 'd0.1-02', 'd0.2-01', 'd0.2-02', 'd0.3-01', 'd0.3-02'].map((variant) => score('B', variant, 0, 4, 1)),
];

const find = (rows: readonly Row[], where: Row): Row | undefined =>
  rows.find((row) => Object.entries(where).every(([column, value]) => row[column] === value));

test('a task with variants on both sides is insensitive by the light method, sensitive by the full one', () => {
  const rows = elasticityRows(scores, 2);
  expect(rows).toHaveLength(2 * 3 * 2);
  expect(find(rows, { task_id: 'A', distance: 0.2, method: 'full' })).toMatchObject({
    elasticity: 0.5,
    score_variants: 0.5,
    delta: 0,
  });
  expect(find(rows, { task_id: 'A', distance: 0.2, method: 'light' })).toMatchObject({ elasticity: 1, delta: 0 });
  expect(find(rows, { task_id: 'A', distance: 0.3, method: 'full' })).toMatchObject({
    elasticity: 0.75,
    delta: -0.25,
    n_variants: 1,
    n_excluded: 1,
  });
  expect(find(rows, { task_id: 'A', distance: 0.3, method: 'light' })).toMatchObject({ elasticity: 0.5, delta: -0.5 });
});

test('the full floor is that of the two draws of the original, 1 - |0.5 - 0.7|, and the excess is what is left', () => {
  const row = find(elasticityRows(scores, 2), { task_id: 'A', distance: 0.1, method: 'full' });
  expect(row).toMatchObject({ elasticity: 1, floor: expect.closeTo(0.8, 12), excess: expect.closeTo(0.2, 12) });
});

test('the light floor of 4 of 8 passed, 4 answers against the other 4, is 26/35 where no variant passes', () => {
  // Of the 70 ways to choose 4 of the 8, 1, 16, 36, 16, 1 have 0 .. 4 passes, and differ from the rest by 1, 1/2, 0,
  // 1/2, 1: 18/70 on average. The baseline of 2/4 differs from the variant, of which none passes, by 1/2.
  const row = find(elasticityRows(scores, 2), { task_id: 'A', distance: 0.3, method: 'light' });
  expect(row).toMatchObject({ elasticity: 0.5, floor_samples: 4 });
  expect(row?.['excess']).toBeCloseTo(18 / 70 - 1 / 2, 12);
  expect(row?.['floor']).toBeCloseTo(26 / 35, 12);
});

test('few answers of a redraw leave a light floor of at most 1, and the excess as it is', () => {
  // 5 of 10 passed: 8 of them and the other 2 differ by 5/18, over all 45 choices. The baseline, 3 of 8, and two of the
  // variants' 80 answers, of which 30 passed, differ by (1225 * 3 + 1500 * 1 + 435 * 5) / (3160 * 8) = 735/2528.
  const few = [
    score('A', 'original', 0, 3, null, 8),
    score('A', 'original', 1, 2, null, 2),
    ...[0.1, 0.2, 0.3].map((distance) => score('A', `d${distance}-01`, 0, 30, null, 80)),
  ];
  const row = find(elasticityRows(few, 1), { distance: 0.1, method: 'light' });
  expect(row).toMatchObject({ elasticity: 1, floor: 1, floor_samples: 2 });
  expect(row?.['excess']).toBeCloseTo(5 / 18 - 735 / 2528, 12);
});

test('without redraws there is no floor and no excess', () => {
  const rows = elasticityRows(
    scores.filter((row) => row['repetition'] === 0),
    2,
  );
  for (const row of rows) expect(row).toMatchObject({ floor: null, excess: null });
});

test('the summary is the mean curve and its areas; the paper divides by nine, the normalised form by six', () => {
  const [full, light] = aucERows(elasticityRows(scores, 2));
  expect(full).toMatchObject({ method: 'full', n: 2, n_excluded: 0, pass_at_1: 0.75, score_original: 0.75 });
  expect(full).toMatchObject({ e_d01: 1, e_d02: 0.75, e_d03: 0.875, score_d02: 0.75 });
  expect(full?.['auc_e']).toBeCloseTo((1 + 4 * 0.75 + 0.875) / 9, 12);
  expect(full?.['auc_e_normalized']).toBeCloseTo((1 + 4 * 0.75 + 0.875) / 6, 12);
  expect(light).toMatchObject({ method: 'light', e_d01: 1, e_d02: 1, e_d03: 0.75 });
  expect(full?.['auc_e_excess']).toBeCloseTo((full?.['auc_e'] as number) - (full?.['auc_e_floor'] as number), 12);
  expect(Object.keys(full ?? {}).toSorted()).toEqual(Object.keys(tables.auc_e.columns).toSorted());
});

test('a model without log-probabilities has a light row and a full one that says why it is empty', () => {
  const bare = scores.map((row) => ({ ...row, soft_exec: null, n_without_logprobs: 4 }));
  const [full, light] = aucERows(elasticityRows(bare, 2));
  expect(full).toMatchObject({
    auc_e: null,
    auc_e_lo: null,
    n: 0,
    n_excluded: 2,
    reason: expect.stringContaining('without log-probabilities'),
  });
  expect(light).toMatchObject({ n: 2, reason: null, e_d03: 0.75 });
});

test('a task without variants at one distance is excluded from every distance, and counted', () => {
  const rows = elasticityRows(
    scores.filter((row) => row['variant'] !== 'd0.3-01' || row['task_id'] !== 'A'),
    2,
  );
  expect(find(rows, { task_id: 'A', distance: 0.3, method: 'full' })).toMatchObject({
    elasticity: null,
    reason: 'no variant has a score',
  });
  expect(aucERows(rows)[0]).toMatchObject({ n: 1, n_excluded: 1, e_d01: 1, e_d02: 1 });
});

/** A task whose original has answers a and then b, and no variant of it passes. All of one answer. */
const oneAnswer = (task: string, passed: number, redraw: number | null): Row[] => [
  score(task, 'original', 0, passed, passed, 1),
  score(task, 'original', 1, redraw ?? 0, redraw, redraw === null ? 0 : 1),
  ...[0.1, 0.2, 0.3].map((distance) => score(task, `d${distance}-01`, 0, 0, 0, 1)),
];

// Red before: one task without a usable redraw left the whole model without floor and excess, and no reason said so.
test('floors and excess are over the tasks that have them, as on cards and in `compare`', () => {
  const rows = aucERows(
    elasticityRows([...oneAnswer('A', 1, 0), ...oneAnswer('B', 1, 1), ...oneAnswer('C', 0, null)], 1),
  );
  for (const row of rows) {
    // Elasticities are 0, 0 and 1; the two draws of A differ, those of B do not, and C has one: floors 0 and 1.
    expect(row).toMatchObject({ n: 3, n_floor: 2, n_excluded: 0, reason: null, e_d01: expect.closeTo(1 / 3, 12) });
    expect(row).toMatchObject({ floor_d01: 0.5, floor_d03: 0.5, excess_d01: -0.5, excess_d02: -0.5 });
    expect(row['auc_e']).toBeCloseTo((2 / 3) * (1 / 3), 12);
    expect(row['auc_e_floor']).toBeCloseTo((2 / 3) * 0.5, 12);
    expect(row['auc_e_excess']).toBeCloseTo((2 / 3) * -0.5, 12);
  }
  expect(rows).toHaveLength(2);
  const alone = aucERows(elasticityRows(oneAnswer('C', 0, null), 1));
  for (const row of alone) expect(row).toMatchObject({ n: 1, n_floor: 0, auc_e_floor: null, auc_e_excess: null });
});

test('the order of the rows changes nothing', () => {
  const there = aucERows(elasticityRows(scores, 2));
  expect(aucERows(elasticityRows(scores.toReversed(), 2).toReversed())).toEqual(there);
});

test('Light on the first samples: its own scores and floor, the same pass@1, a row that says so', () => {
  // The baseline's first sample passes though two of four do; at 0.1 both variants' first samples fail.
  const cheap = scores
    .filter((row) => row['task_id'] === 'A')
    .map((row) => ({ ...row, light_samples: 1, light_passed: row['variant'] === 'original' ? 1 : 0 }));
  const rows = elasticityRows(cheap, 2);
  const light = find(rows, { distance: 0.1, method: 'light' });
  expect(light).toMatchObject({
    score_original: 1,
    score_variants: 0,
    elasticity: 0,
    delta: -1,
    pass_rate_original: 0.5,
    n_samples: 1,
  });
  // Of 8 answers 4 passed. One that passed against two of the other 7, of which 3 passed: 0, 1, 2 passes in 12, 24, 6
  // of 42 cases, 4/7 on average; the same if it failed. The baseline and the variants differ by 1.
  expect(light).toMatchObject({
    floor_samples: 2,
    excess: expect.closeTo(4 / 7 - 1, 12),
    floor: expect.closeTo(3 / 7, 12),
  });
  expect(find(rows, { distance: 0.1, method: 'full' })).toMatchObject({ score_original: 0.5, n_samples: 4 });
  const [full, summary] = aucERows(rows);
  expect(summary).toMatchObject({ method: 'light', pass_at_1: 0.5, samples: 1, score_original: 1 });
  expect(full).toMatchObject({ method: 'full', pass_at_1: 0.5, samples: 4 });
});

test('a rewriter that always breaks a rule leaves no variant: no elasticity, no AUC-E, and both say why', () => {
  const originals = scores.filter((row) => row['variant'] === 'original');
  const rows = elasticityRows(originals, 2);
  for (const row of rows)
    expect(row).toMatchObject({ elasticity: null, n_variants: 0, n_excluded: 2, reason: 'no variant has a score' });
  for (const row of aucERows(rows))
    expect(row).toMatchObject({
      auc_e: null,
      n: 0,
      n_excluded: 2,
      samples: null,
      reason: 'no task counts: no variant has a score',
    });
});
