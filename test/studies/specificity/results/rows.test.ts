import { describe, expect, it } from 'vitest';
import { specificityTables } from '../../../../studies/specificity/results/rows.ts';
import { collectSizeGaps } from '../../../../studies/specificity/results/sizes.ts';
import type { Row } from '../../../../schemas/tables.ts';

const key = {
  run: 'r',
  study: 's',
  benchmark: 'b',
  language: 'python',
  setting: 'default',
  repetition: 0,
  simulated: true,
};

interface Prompt {
  readonly augmentation: string;
  readonly level?: number;
  readonly draw?: number;
  /** One character per task: 1 passed, 0 failed, x excluded. */
  readonly passes: string;
}

const rowsOf = (model: string, prompts: readonly Prompt[]): Row[] =>
  prompts.flatMap(({ augmentation, level = null, draw = null, passes }) =>
    [...passes].map((pass, task) => ({
      ...{ ...key, model, task_id: `T/${task}`, augmentation, level, draw },
      variant: [augmentation, level, draw].join('-'),
      words: level ?? 5,
      passed: pass === 'x' ? null : pass === '1',
      reason: pass === 'x' ? 'not_run' : null,
    })),
  );

const settings = { seed: 1, within: 0.02, checker: null };

const one: readonly Prompt[] = [
  { augmentation: 'minimal', passes: '00000000' },
  { augmentation: 'summary', level: 10, passes: '11000000' },
  { augmentation: 'summary', level: 25, passes: '11111100' },
  { augmentation: 'summary', level: 50, passes: '11110000' },
  { augmentation: 'mask', level: 0.2, draw: 1, passes: '11110000' },
  { augmentation: 'mask', level: 0.2, draw: 2, passes: '00001111' },
  { augmentation: 'mask', level: 0.8, draw: 1, passes: '1100000x' },
  { augmentation: 'mask', level: 0.8, draw: 2, passes: '0000000x' },
  { augmentation: 'maximal', passes: '11111100' },
  { augmentation: 'original', passes: '11000000' },
];

// Red before: a task without a score at any level was in neither number.
it('counts a task of which no prompt could be judged as excluded', () => {
  const prompts = ['minimal', 'maximal', 'original'].map((augmentation) => ({ augmentation, passes: '1x' }));
  const all = [...prompts, { augmentation: 'summary', level: 10, passes: '1x' }];
  const { specificity_summary: summary } = specificityTables(rowsOf('m', all), settings);
  expect(summary).toMatchObject([{ n: 1, n_excluded: 1 }]);
});

describe('curve, by hand', () => {
  const { specificity_curve: curve } = specificityTables(rowsOf('m', one), settings);
  const at = (augmentation: string, level: number | null, draw: number | null = null): Row =>
    curve.find((row) => row['augmentation'] === augmentation && row['level'] === level && row['draw'] === draw) ?? {};

  it('is the mean over tasks of the share of their prompts that passed', () => {
    expect(at('minimal', null)).toMatchObject({ pass_at_1: 0, to_maximal: -0.75, to_original: -0.25, n: 8 });
    expect(at('summary', 25)).toMatchObject({ pass_at_1: 0.75, to_maximal: 0, to_original: 0.5 });
    expect(at('mask', 0.2)).toMatchObject({ pass_at_1: 0.5, n: 8, n_prompts: 16, n_excluded: 0 });
  });

  it('excludes prompts that do not count, and tasks in which none counts', () => {
    expect(at('mask', 0.8)).toMatchObject({ n: 7, n_prompts: 14, n_excluded: 2 });
    expect(at('mask', 0.8)['pass_at_1']).toBeCloseTo(1 / 7, 12);
    expect(at('mask', 0.8)['to_maximal']).toBeCloseTo(1 / 7 - 6 / 7, 12);
  });

  it('has a row for each place of the masked block, against its level', () => {
    expect(at('mask', 0.2, 1)).toMatchObject({ pass_at_1: 0.5, to_level: 0 });
    expect(at('mask', 0.8, 1)['to_level']).toBeCloseTo(1 / 7, 12);
    expect(at('summary', 10)['to_level']).toBeNull();
  });

  it('holds each estimate in its interval', () => {
    for (const row of curve) {
      expect(Number(row['pass_at_1_lo'])).toBeLessThanOrEqual(Number(row['pass_at_1']));
      expect(Number(row['pass_at_1_hi'])).toBeGreaterThanOrEqual(Number(row['pass_at_1']));
    }
  });
});

describe('sufficient level, by hand', () => {
  const { specificity_summary: summary } = specificityTables(rowsOf('m', one), settings);
  const of = (augmentation: string): Row => summary.find((row) => row['augmentation'] === augmentation) ?? {};

  it('is the one with least detail within x of the maximal', () => {
    expect(of('summary')).toMatchObject({ sufficient: '25', reaches_original: '10', maximal_to_original: 0.5, n: 8 });
    // Over the 7 tasks with all levels: 6/7 at maximal, 3.5/7 and 1/7 below; the original's 2/7 is reached at 0.2.
    expect(of('mask')).toMatchObject({ sufficient: 'maximal', reaches_original: '0.2', n: 7, n_excluded: 1 });
  });

  it('tests maximal against original by McNemar: 4 mended and none broken is 2 / 2^4', () => {
    expect(of('summary')['maximal_to_original_p']).toBeCloseTo(0.125, 12);
  });

  it('marks a model whose own answers chose the maximal prompts', () => {
    const { specificity_summary: own, specificity_curve: curve } = specificityTables(rowsOf('m', one), {
      ...settings,
      checker: 'm',
    });
    expect(own.every((row) => row['own_check'] === true)).toBe(true);
    expect(curve.find((row) => row['augmentation'] === 'original')?.['own_check']).toBe(false);
  });
});

describe('monotonicity', () => {
  const { specificity_pairs: pairs } = specificityTables(rowsOf('m', one), settings);

  it('looks at each comparable pair of levels once: 10 of summaries, 6 of masks with the ends in common', () => {
    expect(pairs).toHaveLength(10 + 6 - 1);
    expect(pairs.every((row) => row['family_size'] === 15)).toBe(true);
  });

  it('finds every violation, with the exact p of its discordant tasks', () => {
    const violations = pairs.filter((row) => row['violates'] === true);
    expect(violations.map((row) => [row['lower'], row['upper'], row['difference'], row['test']])).toEqual([
      ['25', '50', -0.25, 'mcnemar'],
    ]);
    // Two tasks are lost, none won: 2 / 2^2.
    expect(violations[0]?.['p']).toBeCloseTo(0.5, 12);
    expect(Number(violations[0]?.['p_holm'])).toBeGreaterThanOrEqual(0.5);
  });

  it('orders masks by what they leave: 0.8 is below 0.2', () => {
    const mask = pairs.find(
      (row) => row['augmentation'] === 'mask' && row['lower'] === '0.8' && row['upper'] === '0.2',
    );
    expect(mask).toMatchObject({ violates: false, n: 7, test: 'sign flip' });
  });
});

describe('sizes', () => {
  const models: Row[] = [
    { run: 'r', model: 'small', family: 'F', size_b: 1 },
    { run: 'r', model: 'middle', family: 'F', size_b: 7 },
    { run: 'r', model: 'large', family: 'F', size_b: 70 },
    { run: 'r', model: 'alone', family: 'G', size_b: 3 },
  ];
  const rows = [
    ...rowsOf('small', [{ augmentation: 'minimal', passes: '1000' }]),
    ...rowsOf('middle', [{ augmentation: 'minimal', passes: '1111' }]),
    ...rowsOf('large', [{ augmentation: 'minimal', passes: '111x' }]),
    ...rowsOf('alone', [{ augmentation: 'minimal', passes: '1111' }]),
  ];

  it('are compared as the largest against the smallest of a family, over tasks that both have', () => {
    const sizes = collectSizeGaps(models);
    // Some models at a time, by name.
    for (const some of [['alone', 'large'], ['middle'], ['small']])
      sizes.add(rows.filter(({ model }) => some.includes(String(model))));
    const gaps = sizes.rows();
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).toMatchObject({ family: 'F', smallest: 'small', largest: 'large', n: 3 });
    expect(gaps[0]?.['gap']).toBeCloseTo(2 / 3, 12);
  });

  // Red before: the small model's mean was of the prompt that both pass, so that the large one was behind by 50 points.
  it('are compared prompt by prompt where some could not be judged', () => {
    const draws = (second: string) => [
      { augmentation: 'mask', level: 0.4, draw: 1, passes: '1111' },
      { augmentation: 'mask', level: 0.4, draw: 2, passes: second },
    ];
    const sizes = collectSizeGaps(models);
    sizes.add([...rowsOf('small', draws('xxxx')), ...rowsOf('large', draws('0000'))]);
    expect(sizes.rows()).toMatchObject([{ smallest_pass_at_1: 1, largest_pass_at_1: 1, gap: 0, n: 4 }]);
  });
});
