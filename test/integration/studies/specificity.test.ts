/** Prompt sets made by models that misbehave: each has its outcome, and the run is complete. */
import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { badReplies, benchmarkText, fenced, replayText, rightCode, tinyTasks } from '../../support/tiny-tasks.ts';

const [task, other] = tinyTasks(2) as [ReturnType<typeof tinyTasks>[0], ReturnType<typeof tinyTasks>[0]];
const long = 'Take the number that is given, add the wanted amount to it, and give the sum back to whoever called.';
const good =
  `<description>\n${long}\n\nNegative numbers and zero are treated in the same way. Nothing is printed.\n` +
  '</description>';
const leak = ({ addend }: typeof task): string => `<description>\n${long}\n\nreturn number + ${addend}\n</description>`;

/**
 * Tiny/1: a leak, then a good description; Tiny/2: leaks only. Every summary is too long. Labels come at the second
 * question, once not at all.
 */
const helper = [
  { task_id: task.id, step: 'write', loop: 1, reply: leak(task) },
  { task_id: task.id, step: 'write', loop: 2, reply: good },
  { task_id: other.id, step: 'write', reply: leak(other) },
  { step: 'summarize', reply: 'Add the amount. Then give the sum of both numbers back to the caller again.' },
  { step: 'label', ask: 0, reply: 'This is about sums.' },
  { step: 'label', ask: 1, loop: 1, reply: '1.1, 1.4' },
  { step: 'label', ask: 1, loop: 2, reply: 'Still about sums.' },
  // Another recording is another writer: sets that earlier runs of this test left on the machine are not reused.
  { task_id: `Nobody/${randomUUID()}`, step: 'write', reply: 'Never asked.' },
];
/** The check model solves its task; the model under study solves all but the minimal prompt. */
const checker = [{ task_id: task.id, step: 'generate', reply: fenced(rightCode(task)) }];
const coder = [task, other].flatMap((one) => [
  { task_id: one.id, step: 'generate', reply: fenced(rightCode(one)) },
  { task_id: one.id, step: 'generate', variant: 'minimal', reply: badReplies.wrong_output(one) },
]);

const spec = `
name: detail
models:
  - { id: coder, provider: replay, file: coder.jsonl }
  - { id: helper, provider: replay, file: helper.jsonl, study: false }
  - { id: checker, provider: replay, file: checker.jsonl, study: false }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - name: detail
    kind: specificity
    benchmark: tiny
    settings: { writer: helper, summarizer: helper, checker: checker, labeller: helper,
                maxDraws: 2, summaryAsks: 2, labelAsks: 2, wordLimits: [6], ratios: [0.5], maskRatios: [0.5], draws: 1 }
`;

describe('prompts made by models that misbehave', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment();
    deployment.write('tiny.jsonl', benchmarkText([task, other]));
    deployment.write('helper.jsonl', replayText(helper));
    deployment.write('checker.jsonl', replayText(checker));
    deployment.write('coder.jsonl', replayText(coder));
    const end = await deployment.evenkeel('run', deployment.write('detail.yaml', spec));
    expect([end.status, end.output]).toEqual([0, expect.anything()]);
  }, 120_000);
  afterAll(() => deployment?.close());

  const variants = (taskId: string) =>
    deployment.rows(
      'detail',
      `select variant, status, attempts, reason from variants where task_id = '${taskId}' order by variant`,
    );

  test('a leaked solution is written again; a summary that ignores its limit is cut and flagged', async () => {
    const rows = await variants(task.id);
    expect(rows.map(({ variant }) => variant)).toEqual([
      'mask-0.5-1',
      'maximal',
      'minimal',
      'original',
      'paragraphs-0.5-1',
      'summary-6',
    ]);
    expect(rows.find(({ variant }) => variant === 'maximal')).toMatchObject({
      status: 'accepted',
      attempts: 2,
      reason: 'the whole body of the solution verbatim (1)',
    });
    expect(rows.find(({ variant }) => variant === 'summary-6')).toMatchObject({
      status: 'flagged',
      reason: 'cut to the limit: 15 of 6 words (2)',
    });
  });

  test('if the writer always leaks, the task has only minimal and original, with the reason', async () => {
    const rows = await variants(other.id);
    const missing = rows.filter(({ status }) => status === 'missing').map(({ variant }) => variant);
    expect(missing).toEqual(['mask-0.5-1', 'maximal', 'paragraphs-0.5-1', 'summary-6']);
    expect(rows.find(({ variant }) => variant === 'maximal')?.['reason']).toBe(
      'the whole body of the solution verbatim (2)',
    );
    expect(rows.find(({ variant }) => variant === 'mask-0.5-1')?.['reason']).toBe(
      'there is no maximal prompt to make it from',
    );
  });

  test('a labeller that answers prose is asked again, and gives no labels if it continues', async () => {
    const rows = await deployment.rows('detail', 'select pass, theme, asks, reason from labels order by pass, theme');
    expect(rows).toEqual([
      { pass: 0, theme: '1.1', asks: 2, reason: null },
      { pass: 0, theme: '1.4', asks: 2, reason: null },
      { pass: 1, theme: null, asks: 2, reason: 'no answer names themes only, of 2' },
    ]);
  });

  // Red where labels are looked up by the name that was given: a run's rows have the name that it was made under.
  test("a person's labels are compared with those of the run, and of a renamed or moved copy", async () => {
    const sample = join(deployment.folder, 'sample.jsonl');
    expect((await deployment.evenkeel('export', 'detail', '--format', 'label-sample', '--out', sample)).status).toBe(0);
    const lines = readFileSync(sample, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    const labelled = deployment.write('labelled.jsonl', lines.join('').replace('"themes":null', '"themes":["1.1"]'));
    const elsewhere = join(deployment.folder, 'elsewhere');
    cpSync(join(deployment.runsDir, 'detail'), join(deployment.runsDir, 'renamed'), { recursive: true });
    cpSync(join(deployment.runsDir, 'detail'), join(elsewhere, 'detail'), { recursive: true });
    for (const [run, runsDir] of [
      ['detail', deployment.runsDir],
      ['renamed', deployment.runsDir],
      ['detail', elsewhere],
    ] as const) {
      const { status, stdout, output } = await deployment.evenkeel(
        'agree',
        run,
        labelled,
        '--runs-dir',
        runsDir,
        '--json',
      );
      expect(status, output).toBe(0);
      const { agreement } = JSON.parse(stdout) as { agreement: { theme: string | null; n: number; same: number }[] };
      const of = (wanted: string) => agreement.find(({ theme }) => theme === wanted);
      // The run's label: 1.1 and 1.4.
      expect([of('1.1'), of('1.4')]).toMatchObject([
        { n: 1, same: 1 },
        { n: 1, same: 0 },
      ]);
    }
  }, 60_000);

  // Red before: tables with n = 0, and lines that were dropped without a word.
  test('labels of prompts that the run has none of are refused, or counted in a note', async () => {
    const line = (taskId: string): string =>
      JSON.stringify({ study: 'detail', task_id: taskId, variant: 'summary-6', themes: ['1.1'] });
    const agree = (name: string, ...lines: readonly string[]) =>
      deployment.evenkeel('agree', 'detail', deployment.write(name, lines.join('\n')), '--json');
    const first = '(task Foreign/1, variant summary-6, study detail)';
    const foreign = await agree('foreign.jsonl', '', line('Foreign/1'), line('Foreign/2'));
    expect([foreign.status, foreign.output]).toEqual([
      2,
      expect.stringContaining(
        'foreign.jsonl  labels no prompt that the run has labels of: is it a sample of another run? ' +
          `the first is line 2 ${first}`,
      ),
    ]);
    const mixed = await agree('mixed.jsonl', line(task.id), line('Foreign/1'), line('Foreign/2'));
    expect(mixed.status, mixed.output).toBe(0);
    expect(mixed.output).toContain(
      'mixed.jsonl: 2 of 3 labelled lines not compared, since the run has no labels of their prompts; ' +
        `the first is line 2 ${first}`,
    );
    expect(JSON.parse(mixed.stdout)).toMatchObject({ notCompared: 2 });
  });

  test('the curve covers the existing prompts', async () => {
    const rows = await deployment.rows(
      'detail',
      'select augmentation, pass_at_1, n, n_excluded from specificity_curve where draw is null order by augmentation',
    );
    const one = { n: 1, n_excluded: 1 };
    expect(rows).toEqual([
      { augmentation: 'mask', pass_at_1: 1, ...one },
      { augmentation: 'maximal', pass_at_1: 1, ...one },
      { augmentation: 'minimal', pass_at_1: 0, n: 2, n_excluded: 0 },
      { augmentation: 'original', pass_at_1: 1, n: 2, n_excluded: 0 },
      { augmentation: 'paragraphs', pass_at_1: 1, ...one },
      { augmentation: 'summary', pass_at_1: 1, ...one },
    ]);
  });
});
