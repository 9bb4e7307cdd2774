/** Two runs whose studies made other prompts of the same tasks: only equal prompts are compared. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changedPrompts } from '../../../analysis/gate/changed-prompts.ts';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { compareOver } from '../../../studies/compare.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const spec = parseSpec(
  `
name: n
models: [{ id: m, provider: simulated }]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - { name: moods, kind: promptse, benchmark: b, settings: { samples: 4, variants: 1, logprobs: false } }
  - { name: detail, kind: specificity, benchmark: b }
`,
  'n.yaml',
);

const runs = ['old', 'new'] as const;
type Run = (typeof runs)[number];
const tasks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const distances = [0.1, 0.2, 0.3];
/** Of the last four tasks the new run has other prompts, and its model solves none of these. */
const isOther = (run: Run, task: number): boolean => run === 'new' && task > 6;

const cell = (run: Run, study: string, task: number, variant: string): Row => ({
  ...{ run, study, model: 'm', benchmark: 'b', task_id: `T/${task}`, language: 'python' },
  ...{ variant, setting: 'default', repetition: 0, simulated: false },
});

function moods(run: Run, task: number, distance: number | null): Row {
  const passed = distance !== null && isOther(run, task) ? 0 : 4;
  return {
    ...cell(run, 'moods', task, distance === null ? 'original' : `v-${distance}`),
    ...{ distance, n_samples: 4, n_passed: passed, n_excluded: 0, n_without_logprobs: 4 },
    ...{ light_samples: 4, light_passed: passed, pass_rate: passed / 4, soft_exec: null },
  };
}

const levels = ['minimal', 'maximal'] as const;
const detail = (run: Run, task: number, level: (typeof levels)[number]): Row => ({
  ...cell(run, 'detail', task, level),
  ...{ augmentation: level, level: null, passed: !(level === 'maximal' && isOther(run, task)), reason: null },
});

const variant = (run: Run, study: string, task: number, name: string, isChanged: boolean): Row => ({
  ...{ run, study, benchmark: 'b', task_id: `T/${task}`, language: 'python', variant: name, kind: 'style' },
  ...{ status: 'accepted', prompt: `Task ${task}, ${name}${isChanged ? ', in other words' : ''}`, simulated: false },
});

const partsOf = (run: Run) => [
  {
    ...{ table: 'prompt_scores' as const, page: 'moods/m/r1p0000' },
    rows: tasks.flatMap((task) => [null, ...distances].map((distance) => moods(run, task, distance))),
  },
  {
    ...{ table: 'prompt_passes' as const, page: 'detail/m/r1p0000' },
    rows: tasks.flatMap((task) => levels.map((level) => detail(run, task, level))),
  },
  {
    ...{ table: 'verdicts' as const, page: 'moods/m/r1p0001' },
    rows: ['moods', 'detail'].flatMap((study) =>
      tasks.map((task) => ({
        ...cell(run, study, task, study === 'moods' ? 'original' : 'minimal'),
        ...{ loop: 0, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' },
      })),
    ),
  },
  {
    ...{ table: 'variants' as const, page: 'run' },
    rows: tasks.flatMap((task) => [
      ...distances.map((distance) => variant(run, 'moods', task, `v-${distance}`, isOther(run, task))),
      ...levels.map((level) => ({
        ...variant(run, 'detail', task, level, level === 'maximal' && isOther(run, task)),
        augmentation: level,
      })),
      // A level that one run has is another level, not another prompt.
      ...(run === 'new'
        ? [{ ...variant(run, 'detail', task, 'summary-20', false), augmentation: 'summary', level: 20 }]
        : []),
    ]),
  },
  { table: 'models' as const, page: 'run', rows: [{ run, model: 'm', simulated: false }] },
];

let folder = '';
let database: RunDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-prompts-'));
  for (const run of runs) await writeRun(join(folder, run), partsOf(run), { runId: run, spec });
  database = await openRun(runs.map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const compared = async (study: string) => {
  const { comparisons, notes } = await compareOver(database, { study, byVariant: false, margin: 0, alpha: 0.05 });
  return {
    found: comparisons.map(({ subject: { metric, dimension }, taskIds, pairs }) => [
      ...[metric, dimension, taskIds.length, pairs[0]?.difference],
    ]),
    notes: notes.filter((note) => note.includes('other prompts')),
  };
};

// Red before: -1 and -40 points over all ten tasks, with small p, and without a word.
describe('the same model, which solves no changed prompt', () => {
  test('PromptSE: its area is of the six tasks with the same prompts', async () => {
    const { found, notes } = await compared('moods');
    expect(found).toContainEqual(['auc_e_normalized', 'light', 6, 0]);
    expect(notes).toEqual([
      'study moods has other prompts for 4 tasks in these runs: these tasks are compared by their original prompts ' +
        'only; give all runs one `variantSet`, or the same settings and seed',
    ]);
  });

  test('PartialOrderEval: each level is of the prompts that are the same', async () => {
    const { found, notes } = await compared('detail');
    expect(found).toContainEqual(['pass_at_detail', 'minimal', 10, 0]);
    expect(found).toContainEqual(['pass_at_detail', 'maximal', 6, 0]);
    expect(notes).toEqual([expect.stringContaining('study detail has other prompts for 4 tasks in these runs')]);
  });
});

test('prompts of a level that only one run has do not count as other prompts', async () => {
  const sides = database.manifests.map((manifest) => ({ manifest, study: manifest.spec.studies[1] as SpecStudy }));
  // Red before: `summary-20` of every task, so that the card of the run that has it spoke of the other levels alone.
  const changed = await changedPrompts(database, sides);
  expect([...changed].map(([task, variants]) => [task, ...variants])).toEqual(
    ['T/10', 'T/7', 'T/8', 'T/9'].map((task) => [task, 'maximal']),
  );
});

test('one run has no other prompts', async () => {
  const [manifest] = database.manifests;
  const study = manifest?.spec.studies[0];
  if (manifest === undefined || study === undefined) throw new Error('the run has a study');
  expect((await changedPrompts(database, [{ manifest, study }])).size).toBe(0);
});
