/** Intervals of PartialOrderEval against simulated truth: they hold what they promise for few and many tasks. */
import { describe, expect, test } from 'vitest';
import { sufficientLevel } from '../../../../studies/specificity/results/sufficient-level.ts';
import { agreementColumns, type LabelledUnit } from '../../../../studies/specificity/results/theme-agreement.ts';
import { themePassingRows, type LabelledPrompt } from '../../../../studies/specificity/results/theme-rows.ts';
import { uniform } from '../../../../domain/random.ts';
import type { Row } from '../../../../schemas/tables.ts';

const draws = Number(process.env['EVENKEEL_COVERAGE_RUNS'] ?? 60);
/** 93 % less three standard errors of so many draws. */
const leastCovered = 0.93 - 3 * Math.sqrt((0.93 * 0.07) / draws);
const holds = (row: Row, name: string, truth: number): boolean =>
  Number(row[`${name}_lo`]) <= truth && truth <= Number(row[`${name}_hi`]);

/** Three runs label seven summaries of each task; a theme goes through a whole task, or through single summaries. */
function labelled(
  random: () => number,
  tasks: number,
  { share, right, whole }: { share: number; right: number; whole: boolean },
) {
  return Array.from({ length: tasks }, (_, task) => {
    const ofTask = random() < share;
    return Array.from({ length: 7 }, (): LabelledUnit => {
      const has = whole ? ofTask : random() < share;
      return { taskId: `T/${task}`, found: [0, 1, 2].map(() => (random() < right ? has : !has)) };
    });
  }).flat();
}

describe.each([
  { share: 0.05, right: 0.98, whole: true },
  { share: 0.3, right: 0.9, whole: true },
  { share: 0.5, right: 0.7, whole: false },
])('agreement on a theme of $share of the summaries, read right with $right', (kind) => {
  const truth = agreementColumns(labelled(uniform(1), 6_000, kind));
  test.each([5, 20, 60, 164])('alpha and kappa of %i tasks lie in their intervals', (tasks) => {
    const random = uniform(tasks);
    const rows = Array.from({ length: draws }, () => agreementColumns(labelled(random, tasks, kind)));
    for (const name of ['alpha', 'kappa']) {
      const defined = rows.filter((row) => row[name] !== null);
      const held = defined.filter((row) => holds(row, name, Number(truth[name])));
      expect(held.length / defined.length).toBeGreaterThanOrEqual(leastCovered);
    }
  });
});

test('full agreement on few summaries proves little: the interval has a width', () => {
  const units = [true, false, true, false].map((has, task) => ({ taskId: `T/${task}`, found: [has, has] }));
  expect(agreementColumns(units)).toMatchObject({ alpha: 1, alpha_hi: 1, kappa: 1, kappa_hi: 1, n: 4 });
  // No disagreement in four tasks leaves up to 1 - 0.025^(1/4) of it.
  expect(Number(agreementColumns(units)['kappa_lo'])).toBeLessThan(0);
});

const taxonomy = {
  version: 'v',
  categories: [{ id: '1', name: 'c', themes: [{ id: '1.1', name: 'n', meaning: 'm' }] }],
};
const key = { run: 'r', study: 's', benchmark: 'b', language: 'python' };

/** Tasks differ in difficulty and in how often the theme is in them; the theme is worth 15 points. */
function passing(random: () => number, tasks: number): Row {
  const prompts: LabelledPrompt[] = [];
  const passes: Row[] = [];
  for (let task = 0; task < tasks; task += 1) {
    const [ease, often] = [0.4 * (random() - 0.5), random()];
    for (let level = 0; level < 7; level += 1) {
      const has = random() < 0.5 * often + 0.07 * level;
      const place = { taskId: `T/${task}`, variant: `s${level}` };
      prompts.push({ ...place, level, runs: [new Set(has ? ['1.1'] : [])], simulated: false });
      const passed = random() < 0.3 + 0.08 * level + ease + (has ? 0.15 : 0);
      passes.push({ model: 'm', task_id: place.taskId, variant: place.variant, passed, simulated: false });
    }
  }
  return themePassingRows(key, prompts, passes, taxonomy)[0] as Row;
}

test.each([5, 20, 60])(
  'the difference of pass rates with a theme, of %i tasks, lies in its interval',
  (tasks) => {
    const truth = Number(passing(uniform(1), 8_000)['difference']);
    const random = uniform(tasks);
    const rows = Array.from({ length: draws }, () => passing(random, tasks)).filter(
      (row) => row['difference'] !== null,
    );
    expect(rows.filter((row) => holds(row, 'difference', truth)).length / rows.length).toBeGreaterThanOrEqual(
      leastCovered,
    );
  },
  30_000,
);

describe('least detail that suffices', () => {
  const chances = [0.1, 0.5, 0.7, 0.85, 0.88, 0.9];
  /** A task is equally hard at every level. */
  const study = (random: () => number, tasks: number) => {
    const passes = Array.from({ length: tasks }, () => random()).map((ease) =>
      chances.map((chance) => Number(ease < chance)),
    );
    return chances.map((_, level) => ({
      isBar: level === chances.length - 1,
      gaps: passes.map((task) => (task[level] as number) - (task.at(-1) as number)),
    }));
  };

  test.each([5, 20, 60, 164])('the true level lies between the ends of %i tasks', (tasks) => {
    const random = uniform(tasks);
    const found = Array.from({ length: draws }, () => sufficientLevel(study(random, tasks), 0.02));
    // 0.88 is the first within 0.02 of 0.9.
    expect(found.filter((one) => one !== null && one.lo <= 4 && 4 <= one.hi).length / draws).toBeGreaterThanOrEqual(
      leastCovered,
    );
    expect(found.every((one) => one !== null && one.lo <= one.level && one.level <= one.hi)).toBe(true);
  });

  test('with many tasks the ends come together where levels lie far apart', () => {
    const passes = Array.from({ length: 400 }, (_, task) => [
      Number(task < 40),
      Number(task < 200),
      Number(task < 380),
    ]);
    const levels = [0, 1, 2].map((level) => ({
      isBar: level === 2,
      gaps: passes.map((task) => (task[level] as number) - (task[2] as number)),
    }));
    expect(sufficientLevel(levels, 0.02)).toEqual({ level: 2, lo: 2, hi: 2 });
    // Within 0.6 of the maximal prompt's 0.95 lies 0.5.
    expect(sufficientLevel(levels, 0.6)).toEqual({ level: 1, lo: 1, hi: 1 });
  });

  test('without tasks there is none', () => expect(sufficientLevel([{ isBar: true, gaps: [] }], 0.02)).toBeNull());
});
