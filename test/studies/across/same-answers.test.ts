/** Runs that took over all answers of run "first", half of them, or judged them again; "other" asked for its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { modelCalls } from '../../../analysis/report/model-calls.ts';
import { modelNotes } from '../../../analysis/report/notes/model-notes.ts';
import { adviceOf } from '../../../domain/gate/advice.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { compareOver } from '../../../studies/compare.ts';
import { gateOver } from '../../../studies/gate.ts';
import { emptyManifest, writeRun } from '../../analysis/run-fixture.ts';

const taskIds = Array.from({ length: 20 }, (_, index) => `MBPP/${index + 1}`);
const page = 'loops/org-m-1/r1p0000';
let folder = '';

interface Written {
  /** How many answers are those of run "first". */
  readonly taken: number;
  readonly passes?: boolean;
  readonly callKey?: string;
  readonly suites?: readonly string[];
  /** Answers to each task. */
  readonly samples?: number;
  readonly more?: Partial<Manifest>;
}

async function write(
  run: string,
  { taken, passes = true, callKey = 'key', suites = ['base'], samples = 1, more = {} }: Written,
): Promise<void> {
  const cells = Array.from({ length: samples }, (_, sample) => sample).flatMap((sample) =>
    taskIds.map((task_id) => ({
      ...{ run, study: 'loops', model: 'org/m', benchmark: 'mbpp', task_id, language: 'python', simulated: false },
      ...{ variant: 'original', setting: 'default', repetition: 0, loop: 1, step: 'generate', sample },
    })),
  );
  const key = (index: number) => ({ ask: 0, call_key: `${callKey} ${index}` });
  await writeRun(
    join(folder, run),
    [
      {
        ...({ table: 'verdicts', page } as const),
        rows: suites.flatMap((suite) =>
          cells.map((cell) => ({ ...cell, suite, outcome: passes ? 'pass' : 'wrong_output' })),
        ),
      },
      { table: 'samples', page, rows: cells.map((cell, index) => ({ ...cell, ...key(index), reply_status: 'ok' })) },
      {
        ...({ table: 'calls', page } as const),
        rows: cells.map((cell, call) => ({
          ...{ ...cell, ...key(call), page, call, n: 1, status: 'answered', used: true },
          origin: call < taken ? 'first' : null,
        })),
      },
      { table: 'models', page: 'run', rows: [{ run, model: 'org/m', simulated: false }] },
      {
        ...({ table: 'tasks', page: 'run' } as const),
        rows: taskIds.map((task_id) => ({ run, benchmark: 'mbpp', task_id, language: 'python', record_sha256: 'a' })),
      },
    ],
    { runId: run, uuid: run, ...more },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-same-'));
  const reusing = { spec: { ...emptyManifest.spec, reuse: ['first'] } };
  await write('first', { taken: 0 });
  await write('other', { taken: 0 });
  await write('whole', { taken: 20, more: reusing });
  await write('deeper', { taken: 20, samples: 2, more: reusing });
  await write('worse', { taken: 20, passes: false, more: reusing });
  await write('half', { taken: 10, more: reusing });
  const rescored = { run: 'first', uuid: 'first', extraction: 'own' };
  await write('wider', { taken: 0, callKey: 'replay', suites: ['base', 'extra'], more: { rescored } });
  await write('judged', { taken: 0, callKey: 'replay', more: { rescored } });
  const again = { run: 'judged', uuid: 'judged', extraction: 'own', asked: { run: 'first', uuid: 'first' } };
  await write('again', { taken: 0, callKey: 'replay of a replay', more: { rescored: again } });
});
afterAll(() => rm(folder, { recursive: true }));

const noteOn = (run: string, same: number): string =>
  `${same} of 20 compared answers of run ${run} are those of run first, taken over and not asked again: on these the ` +
  'runs can differ only in how they judge';

/** Two ids of one model, of which the second got the first one's answers; the endpoint would have drawn others. */
async function writeAlike(run: string): Promise<void> {
  const cells = ['day1', 'day2'].flatMap((model) =>
    taskIds.map((task_id, task) => ({
      ...{ run, study: 'loops', model, benchmark: 'mbpp', task_id, language: 'python', simulated: false },
      ...{ variant: 'original', setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
      ...{ ask: 0, call_key: `key ${task}` },
    })),
  );
  const asked = { provider: 'here', model: 'm7', study: true };
  const models = ['day1', 'day2'].map((id) => ({ ...asked, id })) as unknown as Manifest['spec']['models'];
  await writeRun(
    join(folder, run),
    [
      { table: 'verdicts', page, rows: cells.map((cell) => ({ ...cell, suite: 'base', outcome: 'pass' })) },
      { table: 'samples', page, rows: cells.map((cell) => ({ ...cell, reply_status: 'ok' })) },
      {
        ...({ table: 'calls', page } as const),
        rows: cells
          .slice(0, taskIds.length)
          .map((cell, call) => ({ ...cell, page, call, n: 1, status: 'answered', used: true, role: 'study' }))
          .map((call) => ({ ...call, answering_model: call.model })),
      },
      {
        ...({ table: 'models', page: 'run' } as const),
        rows: ['day1', 'day2'].map((model) => ({ run, model, simulated: false })),
      },
      {
        ...({ table: 'tasks', page: 'run' } as const),
        rows: taskIds.map((task_id) => ({ run, benchmark: 'mbpp', task_id, language: 'python', record_sha256: 'a' })),
      },
    ],
    { runId: run, uuid: run, spec: { ...emptyManifest.spec, models } },
  );
}

// Red before: a gate passed, and `compare` showed 0.00 and not one other task, without a word.
test('two models of a run that ask alike have the same answers: no gate passes, and notes say so', async () => {
  await writeAlike('alike');
  const database = await openRun(join(folder, 'alike'));
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 50 }] });
  const gate = await gateOver(database, { run: 'alike', old: 'day1', now: 'day2' }, policy);
  const { notes } = await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05 });
  const [first] = modelNotes({ calls: await modelCalls(database), excluded: [] });
  database.close();
  const note = '20 of 20 compared answers of day2 are those of day1: they send equal requests';
  expect(gate.outcome).toBe('inconclusive');
  expect([gate.notes, notes].map((own) => own.filter((one) => one.startsWith(note)).length)).toEqual([1, 1]);
  expect(first).toMatchObject({
    mark: 'shared answers',
    text: expect.stringContaining('day1 and day2 ask one model at one endpoint'),
  });
});

async function found(run: string, against = 'first') {
  const database = await openRun([against, run].map((one) => join(folder, one)));
  try {
    const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 50 }] });
    const gate = await gateOver(database, { run, against }, policy);
    const { notes } = await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05 });
    const isNote = (note: string) => note.includes('taken over');
    const checks = gate.comparisons.flatMap(({ result }) => result.rules.flatMap((rule) => rule.checks));
    return {
      outcome: gate.outcome,
      ...{ gate: gate.notes.filter(isNote), compare: notes.filter(isNote), advice: checks.map(adviceOf) },
    };
  } finally {
    database.close();
  }
}

const advice = [expect.stringContaining('all answers of the new version are those of the old one')];

// Red before: passed, without a note.
test.each(['whole', 'judged'])('a gate does not pass on answers that are all the other run’s: %s', async (run) => {
  const notes = [noteOn(run, 20)];
  expect(await found(run)).toEqual({ outcome: 'inconclusive', gate: notes, compare: notes, advice });
});

// Red before: each passed, without a note.
test.each([
  ['a run that was rescored twice, against the one that asked', 'again', 'first'],
  ['the one that asked, against a run that was rescored twice', 'first', 'again'],
  ['a run that was rescored twice, against the one between', 'again', 'judged'],
  ['a run that took the answers over, against one that judged them again', 'whole', 'judged'],
  ['a run that judged them again, against one that took them over', 'judged', 'whole'],
  ['a run with further answers, to which the other has none to compare', 'deeper', 'first'],
])('nor on those of %s', async (_what, run, against) => {
  const { outcome, gate } = await found(run, against);
  const note = `20 of 20 compared answers of run ${run} are those of run ${against}, taken over and not asked again`;
  expect([outcome, gate]).toEqual(['inconclusive', [expect.stringContaining(note)]]);
});

// Red before: the row of the added suite said that it cannot pass because the answers are the old ones.
test('of a suite that only the run which judged again has, the advice names its use', async () => {
  expect((await found('wider')).advice).toEqual([
    ...advice,
    'suite extra did not judge run first, so nothing could be compared; all answers of run wider are those of run ' +
      'first, judged by this suite too: let it be the baseline (`--against`) of a run that asks itself',
  ]);
});

test('a failure stays one', async () => {
  expect(await found('worse')).toMatchObject({ outcome: 'failed', gate: [noteOn('worse', 20)] });
});

test('half of the answers: a note only', async () => {
  const notes = [noteOn('half', 10)];
  expect(await found('half')).toMatchObject({ outcome: 'passed', gate: notes, compare: notes, advice: [null] });
});

test('a run with the same requests and answers of its own: not a word', async () => {
  expect(await found('other')).toMatchObject({ outcome: 'passed', gate: [], compare: [] });
});
