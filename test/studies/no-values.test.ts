/** A model without any value of a metric: the others are compared all the same, and a note names it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { Row } from '../../schemas/tables.ts';
import { compareOver, type CompareRequest } from '../../studies/compare.ts';
import { writeRun } from '../analysis/run-fixture.ts';

const models = ['moody', 'bare', 'steady'];
const tasks = Array.from({ length: 10 }, (_, index) => `MBPP/${index}`);

const spec = parseSpec(
  `
name: lacks
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}, { id: judge, provider: simulated }]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - name: words
    kind: promptse
    benchmark: mbpp
    models: [${models.join(', ')}]
    repetitions: 1
    settings: { samples: 4, variants: 1 }
  - name: loops
    kind: evaloop
    benchmark: mbpp
    models: [${models.join(', ')}]
    settings: { maxLoops: 3, judge: judge }
  - name: apart
    kind: evaloop
    benchmark: mbpp
    models: [${models.join(', ')}]
    settings: { maxLoops: 3, judge: none }
`,
  'lacks.yaml',
);

const cell = (study: string, model: string, task_id: string, variant: string): Row => ({
  ...{ run: 'lacks', study, model, benchmark: 'mbpp', task_id, language: 'python', variant, setting: 'default' },
  ...{ repetition: 0, simulated: false },
});

/** Moody passes the original only, steady everything; of bare's answers none has log-probabilities. */
const prompts = (model: string, task: string): Row[] =>
  [null, 0.1, 0.2, 0.3].map((distance) => {
    const passed = model === 'moody' && distance !== null ? 0 : 4;
    return {
      ...cell('words', model, task, distance === null ? 'original' : `v-${distance}`),
      ...{ distance, n_samples: 4, n_passed: passed, n_excluded: 0, n_without_logprobs: model === 'bare' ? 4 : 0 },
      ...{ light_samples: 4, light_passed: passed, pass_rate: passed / 4 },
      soft_exec: model === 'bare' ? null : passed / 4,
    };
  });

/** Moody sustains no loop and steady all. Bare sustains one each time, with no similarity: its ASL is undefined. */
const loops = (model: string, task: string, study = 'loops'): Row => ({
  ...cell(study, model, task, 'original'),
  sustained_loops: { moody: 0, bare: 1 }[model] ?? 3,
  ended_by: model === 'steady' ? 'survived' : 'code_failed',
  similarity: null,
});

/** Of study `apart`, steady has other tasks than the other two. */
const apart = (): Row[] =>
  models.flatMap((model) =>
    (model === 'steady' ? tasks.slice(4) : tasks.slice(0, 4)).map((task) => loops(model, task, 'apart')),
  );

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-lacks-'));
  const cells = models.flatMap((model) => tasks.map((task) => ({ model, task })));
  const verdicts = (study: string): Row[] =>
    cells.map(({ model, task }) => ({
      ...cell(study, model, task, 'original'),
      ...{ loop: study === 'words' ? 0 : 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' },
    }));
  await writeRun(
    join(folder, 'lacks'),
    [
      { table: 'prompt_scores', page: 'words/m/r1p0000', rows: cells.flatMap((at) => prompts(at.model, at.task)) },
      { table: 'verdicts', page: 'words/m/r1p0000', rows: verdicts('words') },
      { table: 'loops', page: 'loops/m/r1p0001', rows: cells.map((at) => loops(at.model, at.task)) },
      { table: 'verdicts', page: 'loops/m/r1p0001', rows: verdicts('loops') },
      { table: 'loops', page: 'apart/m/r1p0002', rows: apart() },
      { table: 'verdicts', page: 'apart/m/r1p0002', rows: verdicts('apart') },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'lacks', model, simulated: false })) },
    ],
    { runId: 'lacks', spec },
  );
  database = await openRun(join(folder, 'lacks'));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const request: CompareRequest = { byVariant: false, margin: 0, alpha: 0.05 };

/** Names, tasks and means, in the order of the spec. */
async function shown(metric: CompareRequest['metric'], more: Partial<CompareRequest> = {}) {
  const { comparisons, notes } = await compareOver(database, { ...request, ...more, ...(metric && { metric }) });
  const told = comparisons.map(({ subject, models: own, taskIds, standings, pairs }) => ({
    condition: subject.dimension,
    names: own.map(({ name }) => name),
    tasks: taskIds.length,
    values: standings.toSorted((a, b) => a.model - b.model).map(({ value }) => value),
    pairs,
  }));
  return { told, notes: notes.filter((note) => note.includes('left out')), all: notes };
}

// Red before: full was missing, and no note said so.
test('PromptSE without the log-probabilities of one model: the others differ by SoftExec', async () => {
  const { told, notes } = await shown('auc_e_normalized');
  // All of moody's prompts change their score from 1 to 0: elasticity 0 at each distance; steady's never do.
  expect(told).toMatchObject([
    { condition: 'full', names: ['moody', 'steady'], tasks: 10, values: [0, 1] },
    { condition: 'light', names: ['moody', 'bare', 'steady'], tasks: 10, values: [0, 1, 1] },
  ]);
  // Ten of ten tasks in one direction: 2 / 2^10.
  expect(told[0]?.pairs.map(({ verdict, p }) => [verdict, p])).toEqual([['worse', expect.closeTo(2 ** -9, 12)]]);
  expect(notes).toEqual(['study words (full), auc_e_normalized: bare has no value of any task: left out']);
  const { told: alone } = await shown('auc_e_normalized', { models: ['moody', 'steady'] });
  expect(told[0]).toEqual(alone[0]);
});

// Red before: "nothing to compare: no study has two models that share a task with asl", which is false.
test('EVALOOP where ASL of one model is undefined: the others have theirs', async () => {
  const { told, notes } = await shown('asl');
  // i^2 s / M: 9 / 3 of all loops, whatever the similarity.
  expect(told).toMatchObject([{ names: ['moody', 'steady'], tasks: 10, values: [0, 3] }]);
  expect(notes).toEqual(['study loops, asl: bare has no value of any task: left out']);
  const { told: unweighted, notes: none } = await shown('asl_unweighted');
  expect(unweighted).toMatchObject([{ names: ['moody', 'bare', 'steady'], values: [0, expect.closeTo(1 / 3, 12), 3] }]);
  expect(none).toEqual([]);
});

test('where fewer than two models have a value, the refusal says so, and no model is said to be left out', async () => {
  await expect(shown('asl', { models: ['bare', 'steady'] })).rejects.toThrow(
    /^nothing to compare: .* with asl; study loops, asl: bare has no value of any task: nothing is compared/,
  );
  const { told, notes, all } = await shown('auc_e_normalized', { models: ['bare', 'steady'] });
  expect(told.map(({ condition }) => condition)).toEqual(['light']);
  expect(notes).toEqual([]);
  expect(all).toEqual([
    'study words (full), auc_e_normalized: bare has no value of any task: nothing is compared there',
  ]);
});

// Red before: "no study has two models that share a task", though moody and bare do.
test('models that have values, but share no task: the refusal is true, and says which has the fewest', async () => {
  await expect(shown('asl_unweighted', { study: 'apart' })).rejects.toThrow(
    'nothing to compare: no study has a task with asl_unweighted that all its models have; study apart, ' +
      'asl_unweighted: the 3 models share no task; moody has the fewest, 4 of up to 6',
  );
  const { told } = await shown('asl_unweighted', { study: 'apart', models: ['moody', 'bare'] });
  expect(told).toMatchObject([{ names: ['moody', 'bare'], tasks: 4 }]);
});
