/**
 * Variants worded by a model: redrawn where they break a rule, missing where they always do,
 * worded once for all models.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { benchmarkText, fenced, replayText, rightCode, tinyTasks } from '../../support/tiny-tasks.ts';

const [task, other] = tinyTasks(2) as [ReturnType<typeof tinyTasks>[0], ReturnType<typeof tinyTasks>[0]];
const tagged = (text: string): string => `<passage number="1">\n${text}\n</passage>`;

/** Tiny/1 is worded well, at 0.1 only the second time; Tiny/2 loses its number each time. */
const writer = [
  { task_id: task.id, step: 'rewrite', variant: 'd0.1-01', ask: 0, reply: 'I would rather talk about the weather.' },
  {
    task_id: task.id,
    step: 'rewrite',
    variant: 'd0.1-01',
    ask: 1,
    reply: tagged('Well, write a python function to add 1 to the given number.'),
  },
  {
    task_id: task.id,
    step: 'rewrite',
    variant: 'd0.2-01',
    reply: tagged('Sigh, please do write a python function to add 1 to the given number.'),
  },
  {
    task_id: task.id,
    step: 'rewrite',
    variant: 'd0.3-01',
    reply: tagged('I am so tired of it all, and yet I need a python function that adds 1 to a number.'),
  },
  { task_id: other.id, step: 'rewrite', reply: tagged('Write a function that adds something.') },
  // Another recording is another rewriter: sets that earlier runs of this test left on the machine are not reused.
  { task_id: `Nobody/${randomUUID()}`, step: 'rewrite', reply: 'Never asked.' },
];
const coder = [task, other].map((one) => ({ task_id: one.id, step: 'generate', reply: fenced(rightCode(one)) }));

const spec = (models: readonly string[]): string => `
name: worded
models:
${models.map((model) => `  - { id: ${model}, provider: replay, file: coder.jsonl }`).join('\n')}
  - { id: writer, provider: replay, file: writer.jsonl, study: false }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: moods, kind: promptse, benchmark: tiny, repetitions: 1,
      settings: { variants: 1, samples: 1, rewriter: writer, maxDraws: 3 } }
`;

describe('variants worded by a model', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment();
    deployment.write('tiny.jsonl', benchmarkText([task, other]));
    deployment.write('writer.jsonl', replayText(writer));
    deployment.write('coder.jsonl', replayText(coder));
    const end = await deployment.evenkeel('run', deployment.write('worded.yaml', spec(['first'])));
    expect([end.status, end.output]).toEqual([0, expect.anything()]);
  }, 120_000);
  afterAll(() => deployment?.close());

  test('an answer without passages is drawn again; if numbers stay lost, the variant is missing', async () => {
    const rows = await deployment.rows(
      'worded',
      'select task_id, variant, status, attempts, reason, rewriter from variants order by task_id, variant',
    );
    const worded = { task_id: task.id, status: 'accepted', rewriter: 'writer' };
    expect(rows.slice(0, 3)).toEqual([
      { ...worded, variant: 'd0.1-01', attempts: 2, reason: '0 of 1 passages came back (1)' },
      { ...worded, variant: 'd0.2-01', attempts: 1, reason: null },
      { ...worded, variant: 'd0.3-01', attempts: 1, reason: null },
    ]);
    for (const row of rows.slice(3))
      expect(row).toMatchObject({ task_id: other.id, status: 'missing', attempts: 3, reason: 'lost 2 (3)' });
  });

  test('cells of missing variants are not asked; the summary excludes their task with the reason', async () => {
    const asked = await deployment.rows(
      'worded',
      "select task_id, count(*)::int as n from samples where step = 'generate' group by all order by all",
    );
    expect(asked).toEqual([
      { task_id: task.id, n: 4 },
      { task_id: other.id, n: 1 },
    ]);
    expect(await deployment.rows('worded', "select n, n_excluded, e_d01 from auc_e where method = 'light'")).toEqual([
      { n: 1, n_excluded: 1, e_d01: 1 },
    ]);
    const without = await deployment.rows(
      'worded',
      `select distinct reason from elasticity where task_id = '${other.id}' and method = 'light'`,
    );
    expect(without).toEqual([{ reason: 'no variant has a score' }]);
  });

  test('a model that is added later gets the same variants, which are not worded again', async () => {
    const calls = "select count(*)::int as n from calls where step = 'rewrite'";
    expect(await deployment.rows('worded', calls)).toEqual([{ n: 4 + 9 }]);
    const end = await deployment.evenkeel('run', deployment.write('worded.yaml', spec(['first', 'second'])));
    expect([end.status, end.output]).toEqual([0, expect.anything()]);
    expect(await deployment.rows('worded', calls)).toEqual([{ n: 4 + 9 }]);
    const prompts =
      'select model, list(distinct prompt_sha256 order by prompt_sha256) as prompts from samples where step = ' +
      "'generate' group by model";
    const [first, second] = await deployment.rows('worded', `${prompts} order by model`);
    expect(second?.['prompts']).toEqual(first?.['prompts']);
    expect((await deployment.evenkeel('verify', 'worded')).status).toBe(0);
    const status = await deployment.evenkeel('status', 'worded');
    expect(status.output).not.toContain('missing');
  });

  test('another run with the same rewriter reuses the set without a call', async () => {
    const end = await deployment.evenkeel('run', `${deployment.folder}/worded.yaml`, '--run', 'again');
    expect([end.status, end.output]).toEqual([0, expect.anything()]);
    expect(await deployment.rows('again', "select count(*)::int as n from calls where step = 'rewrite'")).toEqual([
      { n: 0 },
    ]);
    const texts = 'select task_id, variant, status, prompt from variants order by all';
    expect(await deployment.rows('again', texts)).toEqual(await deployment.rows('worded', texts));
    expect((await deployment.evenkeel('verify', 'again')).status).toBe(0);
  });
});
