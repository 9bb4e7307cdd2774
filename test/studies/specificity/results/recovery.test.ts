/**
 * Simulated models whose need for detail is known: the study's estimates from their answers have the truth in their
 * intervals.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { specificityTables } from '../../../../studies/specificity/results/rows.ts';
import { specSchema } from '../../../../schemas/spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { createSimulatedModel } from '../../../../simulator/model.ts';
import { simulatedProfile } from '../../../../simulator/profile.ts';
import { setOf } from '../../../../studies/specificity/make-set.ts';
import { codeMessages } from '../../../../studies/specificity/prompts.ts';
import type { SpecificityStudy } from '../../../../studies/specificity/settings.ts';
import { loadBenchmark } from '../../../../activities/benchmarks/load.ts';

const path = fileURLToPath(new URL('../../../../data/starter/starter.jsonl', import.meta.url));
const { tasks } = await loadBenchmark({ name: 'starter', format: 'evenkeel', path, seed: 0 });
const wrong = 'WRONG';

const parsed = specSchema.parse({
  name: 'x',
  models: [{ id: 'm', provider: 'simulated' }],
  benchmarks: {},
  studies: [{ name: 's', kind: 'specificity', benchmark: 'b' }],
}).studies[0] as SpecificityStudy;
const none = { answer: () => undefined, outcomes: () => undefined };
const prompts = tasks.flatMap((task) =>
  setOf(parsed.settings, task, () => none).map((record) => ({
    ...record,
    taskId: task.taskId,
    prompt: record.prompt ?? '',
  })),
);

/** A model's passes: its answer is right or one that says it is wrong. Every prompt has its own luck. */
function passes(seed: number, words: number): Row[] {
  const profile = simulatedProfile({ seed, competence: 0.9, sensitivity: 1, detailNeed: { floor: 0.2, words } });
  const model = createSimulatedModel({
    name: 'm',
    profile,
    tasks: tasks.map(({ taskId, entryPoint, prompt, reference }) => ({
      ...{ taskId, entryPoint, description: prompt, reference },
      wrong: [`def ${entryPoint}(*args):\n    raise ValueError('${wrong}')\n`],
    })),
  });
  return prompts.map(({ taskId, variant, augmentation = '', level = null, draw = null, words: described, prompt }) => {
    const messages = [...codeMessages(prompt, { language: 'python', entryPoint: 'f' })];
    const text = model.answer({ model: 'm', messages, temperature: 0 }).choices[0]?.text ?? '';
    const key = {
      run: 'r',
      study: 's',
      model: 'm',
      benchmark: 'b',
      language: 'python',
      setting: 'default',
      repetition: 0,
    };
    return {
      ...key,
      task_id: taskId,
      variant,
      augmentation,
      level,
      draw,
      words: described,
      passed: !text.includes(wrong),
      simulated: true,
    };
  });
}

/** The chance that the profile gives a prompt, averaged as pass@1 is. */
function truth(augmentation: unknown, level: unknown, words: number): number {
  const own = prompts.filter((prompt) => prompt.augmentation === augmentation && (prompt.level ?? null) === level);
  const chances = own.map((prompt) => 0.2 + 0.7 * Math.min(1, (prompt.words ?? 0) / words));
  return chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
}

describe.each([60, 200])('a model that needs %i words', (words) => {
  const studies = Array.from({ length: 12 }, (_, seed) =>
    specificityTables(passes(seed, words), { seed, within: 0.02, checker: null }),
  );

  test('has its curve within the intervals, nearly as often as they promise', () => {
    const rows = studies.flatMap(({ specificity_curve: curve }) =>
      curve.filter((row) => row['draw'] === null && row['augmentation'] !== 'original'),
    );
    const covered = rows.filter((row) => {
      const chance = truth(row['augmentation'], row['level'], words);
      return Number(row['pass_at_1_lo']) <= chance && chance <= Number(row['pass_at_1_hi']);
    });
    expect(rows).toHaveLength(12 * 17);
    expect(covered.length / rows.length).toBeGreaterThan(0.93);
  });

  test('seldom has a significant violation of monotonicity, since it has none', () => {
    const alarms = studies.filter(({ specificity_pairs: pairs }) =>
      pairs.some((row) => row['violates'] === true && Number(row['p_holm']) < 0.05),
    );
    expect(alarms.length).toBeLessThanOrEqual(2);
  });
});

test('a model that needs little is sufficient with fewer words than one that needs much', () => {
  const wordsOf = (words: number): number => {
    const levels = Array.from({ length: 6 }, (_, seed) => {
      const { specificity_summary: summary } = specificityTables(passes(seed, words), {
        seed,
        within: 0.05,
        checker: null,
      });
      const name = summary.find((row) => row['augmentation'] === 'summary')?.['sufficient'];
      return name === 'minimal' ? 0 : name === 'maximal' ? 250 : Number(name);
    });
    return levels.toSorted((a, b) => a - b)[3] ?? 0;
  };
  expect(wordsOf(25)).toBeLessThan(wordsOf(200));
});
