/** What the report shows of a run that is small enough to count by hand; see hand-run.ts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import type { Ceiling } from '../../../analysis/report/ceilings.ts';
import { ceilingLine } from '../../../analysis/report/ceilings-table.ts';
import type { Report } from '../../../analysis/report/report.ts';
import { collectEvaloop, type EvaloopData } from '../../../studies/evaloop/report/data.ts';
import { collectReport } from '../../../studies/report.ts';
import { packExamples } from '../../../analysis/report/example-pack.ts';
import { collectExamples } from '../../../analysis/report/examples.ts';
import type { Example } from '../../../analysis/report/examples/example.ts';
import { writeRun } from '../run-fixture.ts';
import { hostile, writeHandRun } from './hand-run.ts';

/** A report with EVALOOP's data at hand. */
type ReportData = Report & EvaloopData;

let folder = '';
let database: RunDatabase;
let data: ReportData;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-hand-run-'));
  await writeHandRun(folder);
  database = await openRun(folder);
  data = { ...(await collectReport(database)), ...(await collectEvaloop(database)) };
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const examplesKey = {
  run: 'r',
  study: 's',
  model: 'm',
  benchmark: 'tiny',
  language: 'python',
  variant: 'v1',
  setting: 'default',
  repetition: 0,
};

test('the ceiling is two of three, and the reference that fails is named', () => {
  expect(data.ceilings).toEqual([
    {
      run: 'r',
      benchmark: 'tiny',
      language: 'python',
      suite: 'base',
      tasks: 3,
      cases: 12,
      passed: 2,
      failures: ['wall_timeout: T/10'],
      unjudged: [],
      partlyJudged: [],
    },
  ]);
});

test('the ceiling as one line: only suites with a reference that fails, and the first names', () => {
  const end = '; a model can be expected to pass more only where a reference is at fault, not its suite';
  expect(ceilingLine(data.ceilings)).toBe(
    'ceiling: the references pass 66.7 % on tiny, python, suite base (of 3 references 1 fails: ' +
      `wall timeout: T/10)${end}`,
  );
  const [one] = data.ceilings as [Ceiling];
  expect(ceilingLine([{ ...one, passed: 3, failures: [] }])).toBeNull();
  const many = { ...one, tasks: 8, passed: 5, failures: ['exception: T/1', 'exception: T/2', 'wrong_output: T/3'] };
  expect(ceilingLine([many, { ...one, suite: 'plus', passed: 3, failures: [] }])).toBe(
    'ceiling: the references pass 62.5 % on tiny, python, suite base (of 8 references 3 fail: ' +
      `exception: T/1; exception: T/2 and 1 more)${end}`,
  );
  expect(ceilingLine([one, one, one, one])).toContain(`; and 1 more suite${end}`);
  const unjudged = ['not_run: T/5', 'not_run: T/6'];
  expect(ceilingLine([{ ...many, passed: 3, unjudged }])).toContain('pass 50.0 % on tiny, python, suite base (of 6');
  expect(ceilingLine([{ ...one, passed: 1, failures: [], unjudged }])).toBeNull();
});

describe('the task matrix', () => {
  test('has the models in the order of the board: ASL 10/9 before 1/6', () => {
    expect(data.matrices[0]?.models).toEqual(['alpha', 'beta']);
    expect(data.leaderboard.map((row) => row.aslUnweighted?.value)).toEqual([10 / 9, 1 / 6]);
  });

  test('has the hardest task first, and leaves excluded cells out of the mean', () => {
    expect(data.matrices[0]?.tasks.map(({ taskId, mean, cells }) => [taskId, mean, cells])).toEqual([
      ['T/10', 0, [0, 0]],
      ['T/2', 1, [1, 'excluded']],
      ['T/1', 2, [3, 1]],
    ]);
  });

  test('knows the task whose own reference fails', () => {
    expect(data.matrices[0]?.tasks.map(({ referencePasses }) => referencePasses)).toEqual([false, true, true]);
  });
});

describe('examples', () => {
  const named = (examples: readonly Example[], model: string, taskId: string) =>
    examples.find((example) => example.model === model && example.taskId === taskId) as Example;

  test('are all six cells where six are fewer than may be drawn', async () => {
    const { examples, of } = await collectExamples(database);
    expect([examples.length, of]).toEqual([6, 6]);
    expect(new Set(examples.map(({ id }) => id)).size).toBe(6);
  });

  test('show every loop with its prompt, reply, code, verdict and first failing case', async () => {
    const { examples } = await collectExamples(database);
    const { result, sustainedLoops, steps } = named(examples, 'alpha', 'T/2');
    expect([result, sustainedLoops, steps.length]).toEqual(['wrong_output', 1, 2]);
    expect(steps[1]).toEqual({
      loop: 2,
      step: 'generate',
      ask: 0,
      sample: 0,
      answeringModel: 'alpha',
      messages: [
        { role: 'system', content: 'You are a helpful AI assistant.' },
        { role: 'user', content: 'Prompt of alpha T/2 2' },
      ],
      original: null,
      reply: 'Here it is:\ndef f():\n    return "alpha T/2 2"\n',
      replyStatus: 'ok',
      extraction: 'bare',
      solution: 'def f():\n    return "alpha T/2 2"\n',
      language: 'python',
      verdicts: [
        {
          suite: 'base',
          outcome: 'wrong_output',
          firstFailingCase: 2,
          cases: 4,
          detail: 'expected [1, 2], got [2, 1]',
          input: '[[2,1]]',
          expected: '[1, 2]',
          got: '[2, 1]',
        },
      ],
      score: null,
    });
    expect(named(examples, 'beta', 'T/2').result).toBe('excluded: missing_dependency');
  });

  test('without loops the first outcome other than pass is the result; long texts are visibly cut', async () => {
    const own = await mkdtemp(join(tmpdir(), 'evenkeel-no-loops-'));
    const cell = (task: string) => ({ ...examplesKey, task_id: task, loop: 1, step: 'generate', sample: 0 });
    const reply = (task: string, text: string) => ({
      ...cell(task),
      ask: 0,
      answering_model: 'm',
      reply: text,
      reply_status: 'ok',
    });
    const verdict = (task: string, suite: string, outcome: string) => ({ ...cell(task), suite, outcome });
    await writeRun(own, [
      { table: 'samples', page: 's/m/p', rows: [reply('T/1', 'x'.repeat(8_003)), reply('T/2', 'short')] },
      {
        table: 'verdicts',
        page: 's/m/p',
        rows: [verdict('T/1', 'base', 'pass'), verdict('T/1', 'plus', 'exception'), verdict('T/2', 'base', 'pass')],
      },
    ]);
    const other = await openRun(own);
    const { examples } = await collectExamples(other);
    other.close();
    await rm(own, { recursive: true });
    expect([named(examples, 'm', 'T/1').result, named(examples, 'm', 'T/2').result]).toEqual(['exception', 'pass']);
    expect(named(examples, 'm', 'T/1').sustainedLoops).toBeNull();
    expect(named(examples, 'm', 'T/1').steps[0]?.reply).toBe(
      `${'x'.repeat(8_000)}\n[cut here: 3 more characters are in the run's tables]`,
    );
    expect(named(examples, 'm', 'T/2').steps[0]?.reply).toBe('short');
  });

  test('drawn again are the same, a smaller draw is the beginning of a larger one', async () => {
    const idsOf = async (most: number): Promise<string[]> =>
      (await collectExamples(database, most)).examples.map(({ id }) => id);
    const all = await idsOf(6);
    expect(await idsOf(6)).toEqual(all);
    expect(await idsOf(4)).toEqual(all.slice(0, 4));
  });

  test('that do not fit are omitted from the end, a chunk of 40 at a time', async () => {
    const { examples } = await collectExamples(database);
    const many = Array.from({ length: 81 }, (_, index) => ({ ...(examples[0] as Example), id: String(index) }));
    const sizes = (JSON.parse((await packExamples(many)).json) as { chunks: string[] }).chunks.map(
      ({ length }) => length,
    );
    const [first = 0, second = 0] = sizes;
    expect(sizes).toHaveLength(3);
    expect([...(await packExamples(many, first + second)).ids]).toEqual(many.slice(0, 80).map(({ id }) => id));
    expect((await packExamples(many, first + second - 1)).ids.size).toBe(40);
  });

  test('cannot end the script element that they are packed into', async () => {
    const { examples } = await collectExamples(database);
    const noisy = examples.map((example) => ({
      ...example,
      steps: example.steps.map((step) => ({ ...step, reply: hostile })),
    }));
    const { json, ids } = await packExamples(noisy);
    expect(ids.size).toBe(6);
    expect(json).not.toMatch(/[<\u202e]/);
    const { chunks } = JSON.parse(json) as { chunks: string[] };
    const { texts } = JSON.parse(gunzipSync(Buffer.from(chunks[0] ?? '', 'base64')).toString()) as { texts: string[] };
    expect(texts).toContain(hostile.replace('\u202e', '\ufffd'));
  });
});
