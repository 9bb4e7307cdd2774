/**
 * How often the curves of PartialOrderEval contain the truth: simulated models with a known need for detail answer all
 * prompts of HumanEval's posets. Programs are judged by their text, since the simulator returns either references or
 * programs known to fail.
 */
import { loadBenchmark } from '../activities/benchmarks/load.ts';
import { specificityTables } from '../studies/specificity/results/rows.ts';
import { specSchema } from '../schemas/spec.ts';
import type { Row } from '../schemas/tables.ts';
import type { Task } from '../schemas/task.ts';
import type { VariantRecord } from '../schemas/variant.ts';
import { createSimulatedModel } from '../simulator/model.ts';
import { simulatedProfile } from '../simulator/profile.ts';
import { setOf } from '../studies/specificity/make-set.ts';
import { codeMessages } from '../studies/specificity/prompts.ts';
import type { SpecificityStudy } from '../studies/specificity/settings.ts';

export interface DetailOptions {
  readonly humaneval: string;
  readonly seeds: string;
}

interface Prompt {
  readonly task: Task;
  readonly record: VariantRecord;
}

/** What a model's chance depends on: the task's difficulty, equal at every level, or each prompt separately. */
const lucks = { 'per task, as simulated models have it': 0, 'per prompt': 1 } as const;
const needs = [
  { name: 'gentle', competence: 0.95, floor: 0.2, words: 40 },
  { name: 'needy', competence: 0.9, floor: 0.05, words: 120 },
] as const;
type Need = (typeof needs)[number];
const wrong = 'WRONG';

export async function detail({ humaneval, seeds }: DetailOptions, print: (line: string) => void): Promise<void> {
  const { tasks } = await loadBenchmark({ name: 'humaneval', format: 'humaneval', path: humaneval, seed: 0 });
  const prompts = promptsOf(tasks);
  print(
    `${tasks.length} tasks, ${prompts.length} prompts, ${seeds} models of each kind; ` +
      '95 % intervals of 17 levels a model',
  );
  for (const [luck, sensitivity] of Object.entries(lucks))
    for (const need of needs) {
      const levels = Array.from({ length: Number(seeds) }, (_, seed) =>
        covered(tasks, prompts, need, sensitivity, seed),
      );
      print(`${need.name}, luck ${luck}: ${summaryText(levels)}`);
    }
}

function promptsOf(tasks: readonly Task[]): Prompt[] {
  const study = specSchema.parse({
    ...{ name: 'x', models: [{ id: 'm', provider: 'simulated' }], benchmarks: {} },
    studies: [{ name: 's', kind: 'specificity', benchmark: 'b' }],
  }).studies[0] as SpecificityStudy;
  const none = { answer: () => undefined, outcomes: () => undefined };
  return tasks.flatMap((task) => setOf(study.settings, task, () => none).map((record) => ({ task, record })));
}

/** Whether each level's interval contains the mean probability of its prompts. */
function covered(
  tasks: readonly Task[],
  prompts: readonly Prompt[],
  need: Need,
  sensitivity: number,
  seed: number,
): boolean[] {
  const { specificity_curve: curve } = specificityTables(passes(tasks, prompts, need, sensitivity, seed), {
    ...{ seed, within: 0.02, checker: null },
  });
  return curve
    .filter((row) => row['draw'] === null && row['augmentation'] !== 'original')
    .map((row) => {
      const own = prompts.filter(
        ({ record }) => record.augmentation === row['augmentation'] && (record.level ?? null) === row['level'],
      );
      const chances = own.map(
        ({ record }) => need.floor + (need.competence - need.floor) * Math.min(1, (record.words ?? 0) / need.words),
      );
      const truth = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
      return Number(row['pass_at_1_lo']) <= truth && truth <= Number(row['pass_at_1_hi']);
    });
}

function passes(
  tasks: readonly Task[],
  prompts: readonly Prompt[],
  { competence, floor, words }: Need,
  sensitivity: number,
  seed: number,
): Row[] {
  const model = createSimulatedModel({
    name: 'm',
    profile: simulatedProfile({ seed, competence, sensitivity, detailNeed: { floor, words } }),
    tasks: tasks.map(({ taskId, entryPoint, prompt, reference }) => ({
      ...{ taskId, entryPoint, description: prompt, reference },
      wrong: [`def ${entryPoint}(*args):\n    raise ValueError('${wrong}')\n`],
    })),
  });
  const key = {
    run: 'r',
    study: 's',
    model: 'm',
    benchmark: 'b',
    language: 'python',
    setting: 'default',
    repetition: 0,
    simulated: true,
  };
  return prompts.map(
    ({ task, record: { variant, augmentation = '', level = null, draw = null, words: described, prompt } }) => {
      const messages = [...codeMessages(prompt ?? '', task)];
      const text = model.answer({ model: 'm', messages, temperature: 0 }).choices[0]?.text ?? '';
      return {
        ...key,
        task_id: task.taskId,
        variant,
        augmentation,
        level,
        draw,
        words: described,
        passed: !text.includes(wrong),
      };
    },
  );
}

function summaryText(models: readonly (readonly boolean[])[]): string {
  const held = models.map((levels) => levels.filter(Boolean).length);
  const all = models.flat();
  const share = (count: number): string => `${((100 * count) / models.length).toFixed(0)} %`;
  const least = [...held].sort((a, b) => a - b);
  return [
    `${((100 * all.filter(Boolean).length) / all.length).toFixed(1)} % of levels`,
    `all 17 in ${share(held.filter((count) => count === 17).length)} of models, 14 or fewer in ` +
      `${share(held.filter((count) => count <= 14).length)}`,
    `the least ${least[0] ?? 0}`,
  ].join('; ');
}
