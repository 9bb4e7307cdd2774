/** The paper's questions over models of which one has an answer to fewer tasks. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Row } from '../../../schemas/tables.ts';
import { boardPlaces, promptseBoard } from '../../../studies/promptse/results/board.ts';
import { promptseQuestions, type StudyQuestions } from '../../../studies/promptse/results/questions/study-questions.ts';
import { promptseTables } from '../../../studies/promptse/results/tables.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

/** Every answer to task 1 passes at all distances, none to a variant of task 2; `short` has task 1 only. */
const tasksOf = { one: [1, 2], two: [1, 2], short: [1] } as const;
const models = Object.keys(tasksOf) as (keyof typeof tasksOf)[];
const model = (id: string): string => `{ id: ${id}, provider: simulated }`;
const spec = parseSpec(
  `
name: fewer
models: [${models.map(model).join(', ')}]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - { name: moods, kind: promptse, benchmark: mbpp, settings: { samples: 4, variants: 1, logprobs: false } }
`,
  'fewer.yaml',
);

function prompt(model: string, task: number, distance: number | null): Row {
  const passed = task === 1 || distance === null ? 4 : 0;
  return {
    ...{ run: 'fewer', study: 'moods', model, benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python' },
    ...{ variant: distance === null ? 'original' : `v-${distance}`, setting: 'default', repetition: 0 },
    ...{ distance, n_samples: 4, n_passed: passed, n_excluded: 0, n_without_logprobs: 4, simulated: false },
    ...{ light_samples: 4, light_passed: passed, pass_rate: passed / 4, soft_exec: null },
  };
}

let folder = '';
let database: RunDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-fewer-'));
  const facts = models.map((model) => ({
    run: 'fewer',
    model,
    family: `${model}-family`,
    size_b: 7,
    simulated: false,
  }));
  const prompts = models.flatMap((model) =>
    tasksOf[model].flatMap((task) => [null, 0.1, 0.2, 0.3].map((distance) => prompt(model, task, distance))),
  );
  await writeRun(
    folder,
    [
      { table: 'prompt_scores', page: 'moods/m/r1p0000', rows: prompts },
      { table: 'models', page: 'run', rows: facts },
    ],
    { runId: 'fewer', spec },
  );
  database = await openRun(folder);
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const questions = async (): Promise<StudyQuestions> => {
  const tables = await promptseTables(database, database.manifests[0] as Manifest);
  return (await promptseQuestions(database, tables))[0] as StudyQuestions;
};

// Red before: `short` was the steadiest model and its family the best group, for task 1 alone.
test('a model with fewer tasks is in no comparison of models, and named', async () => {
  const { structure, deltas, fewerTasks } = await questions();
  expect(structure.light.models.map((one) => one.model).toSorted()).toEqual(['one', 'two']);
  expect(structure.light.groups.map(({ group }) => group)).toEqual(['one-family', 'two-family', 'small']);
  expect(deltas.grid.map(({ family }) => family)).toEqual(['one-family', 'two-family']);
  // Of each of two models: 0 for task 1, -1 for task 2.
  expect(deltas.distances.map(({ n, meanAbsolute }) => [n, meanAbsolute])).toEqual([
    [4, 0.5],
    [4, 0.5],
    [4, 0.5],
  ]);
  expect(fewerTasks).toEqual({ full: [], light: ['short'], deltas: ['short'] });
});

// Red before: the stored rows were read without the columns that name a board, so that all had ranks.
test('the board of a complete run ranks no area that lacks tasks', async () => {
  const stored = await promptseTables(database, database.manifests[0] as Manifest);
  const run = join(folder, 'complete');
  await mkdir(run);
  await writeRun(
    run,
    [
      { table: 'elasticity', page: 'run', rows: stored.elasticity },
      { table: 'auc_e', page: 'run', rows: stored.auc_e },
    ],
    { runId: 'fewer', spec },
  );
  const complete = await openRun(run);
  const board = (await promptseBoard(complete)).filter(({ method }) => method === 'light');
  complete.close();
  expect(board.map(({ model, lacksTasks }) => [model, lacksTasks.area])).toEqual([
    ['short', true],
    ['one', false],
    ['two', false],
  ]);
  expect(boardPlaces(board).area).toEqual([null, 1.5, 1.5]);
});
