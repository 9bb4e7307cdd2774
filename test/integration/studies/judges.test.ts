/**
 * Several judges and repeats: from recordings, with the table counted by hand, and at an endpoint whose log says what
 * was asked, with every process killed while the judges answer.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFull, long } from '../../support/forms/long.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { type KillRounds, openKillRounds, quickHeartbeats } from '../../support/kills/kill-rounds.ts';
import { everything, runFolder, type Subject } from '../../support/kills/kill-study.ts';
import { ledgerNumber } from '../../support/ledger-look.ts';
import { hasProcessTable } from '../../support/processes.ts';
import {
  badReplies,
  benchmarkText,
  courseLines,
  type ReplayLine,
  replayText,
  tinyTasks,
} from '../../support/tiny-tasks.ts';

describe('recordings', () => {
  const tasks = tinyTasks(4);
  const summary: ReplayLine = { step: 'summarize', reply: 'Write a python function to add a fixed number.' };
  const model = tasks.flatMap((task, index) =>
    courseLines(task, [1, 2, 2, 3][index] as number, 3, badReplies.wrong_output(task)),
  );
  const [first, second] = tasks.map(({ id }) => id) as [string, string];
  /** The strict judge says the same in every repeat but one; the mild one has a line for each repeat. */
  const strict: ReplayLine[] = [
    { step: 'judge', reply: '0.2' },
    { step: 'judge', task_id: first, sample: 1, reply: '0.4' },
  ];
  const mild: ReplayLine[] = [
    { step: 'judge', sample: 0, reply: '0.9' },
    { step: 'judge', sample: 1, reply: '0.7' },
    { step: 'judge', task_id: second, sample: 1, ask: 0, reply: 'Alike.' },
    { step: 'judge', task_id: second, sample: 1, ask: 1, reply: '0.5' },
  ];
  const spec = (models: string): string => `
name: panel
models:
${models}
benchmarks: { tiny: { format: evenkeel, path: ${'PATH'} } }
studies:
  - { name: loops, kind: evaloop, benchmark: tiny,
      settings: { maxLoops: 3, judge: { models: [strict, mild], repeats: 2 } } }
`;
  const recorded = (file: (model: string) => string): string =>
    ['model', 'strict', 'mild']
      .map((id) => `  - { id: ${id}, provider: replay, file: ${file(id)}${id === 'model' ? '' : ', study: false'} }`)
      .join('\n');
  let deployment: Deployment;
  let end: Awaited<ReturnType<Deployment['evenkeel']>>;
  const rows = (sql: string): Promise<Record<string, unknown>[]> => deployment.rows('panel', sql);

  beforeAll(async () => {
    deployment = await openDeployment();
    deployment.write('model.jsonl', replayText([...model, summary]));
    deployment.write('strict.jsonl', replayText(strict));
    deployment.write('mild.jsonl', replayText(mild));
    deployment.write('tiny.jsonl', benchmarkText(tasks));
    const text = spec(recorded((id) => `${id}.jsonl`)).replace('PATH', 'tiny.jsonl');
    end = await deployment.evenkeel('run', deployment.write('panel.yaml', text));
    expect(end.status, end.output).toBe(0);
  }, 300_000);
  afterAll(() => deployment?.close());

  test('each repeat of each judge has its own line, and an answer without a score is asked again', async () => {
    const found = await rows('select task_id, judge, repeat, sample, ask, score from judgements order by all');
    const of = (id: string) => found.filter((row) => row['task_id'] === id).map((row) => Object.values(row).slice(1));
    expect(of(first)).toEqual([
      ['mild', 0, 2, 0, 0.9],
      ['mild', 1, 3, 0, 0.7],
      ['strict', 0, 0, 0, 0.2],
      ['strict', 1, 1, 0, 0.4],
    ]);
    expect(of(second)).toEqual([
      ['mild', 0, 2, 0, 0.9],
      ['mild', 1, 3, 0, null],
      ['mild', 1, 3, 1, 0.5],
      ['strict', 0, 0, 0, 0.2],
      ['strict', 1, 1, 0, 0.2],
    ]);
    expect(found).toHaveLength(13);
  });

  test('similarity is the mean of the judges’ means, and ASL follows from it', async () => {
    const loops = await rows('select sustained_loops, similarity from loops order by task_id');
    // (0.3 + 0.8) / 2, (0.2 + 0.7) / 2, (0.2 + 0.8) / 2.
    expect(loops.map((row) => row['sustained_loops'])).toEqual([1, 2, 2, 3]);
    expect(loops.slice(0, 3).map((row) => Number(row['similarity']).toFixed(12))).toEqual(
      [0.55, 0.45, 0.5].map((value) => value.toFixed(12)),
    );
    const [asl] = await rows('select judge, asl, judge_error, asl_lo, asl_hi, method from asl');
    // 1 x 0.55, 2 x 4 x (1.45 + 1.5) / 4, 9, over 3 x 4.
    expect(Number(asl?.['asl'])).toBeCloseTo((0.55 + 5.9 + 9) / 12, 12);
    expect(asl).toMatchObject({ judge: 'strict, mild', method: expect.stringContaining('choice of judges') });
  });

  test('agreement: the judges together and each with itself, in the table, the report and the terminal', async () => {
    const found = await rows(
      'select compared, judge, n, n_missing, disagreement, score from loop_judges order by compared, judge desc',
    );
    expect(found.map((row) => Object.values(row).slice(0, 4))).toEqual([
      ['judges', 'strict, mild', 3, 0],
      ['repeats', 'strict', 3, 0],
      ['repeats', 'mild', 3, 0],
    ]);
    // |0.3 - 0.8|, |0.2 - 0.7|, |0.2 - 0.8|; 0.2, 0, 0; 0.2, 0.4, 0.2.
    expect(found.map((row) => Number(row['disagreement']).toFixed(9))).toEqual(
      [1.6 / 3, 0.2 / 3, 0.8 / 3].map((value) => value.toFixed(9)),
    );
    expect(end.output).toContain('agreement of judges');
    expect((await deployment.evenkeel('report', 'panel', '--format', 'md')).status).toBe(0);
    const markdown = readFileSync(join(deployment.runsDir, 'panel', 'report.md'), 'utf8');
    expect(markdown).toContain('Agreement of judges');
  });

  test('verify finds nothing, and an export replays to the same rows', async () => {
    expect((await deployment.evenkeel('verify', 'panel')).status).toBe(0);
    const out = join(deployment.folder, 'all.jsonl');
    expect((await deployment.evenkeel('export', 'panel', '--format', 'replay', '--out', out)).status).toBe(0);
    const text = spec(recorded(() => 'all.jsonl')).replace('name: panel', 'name: again');
    const again = await deployment.evenkeel('run', deployment.write('again.yaml', text.replace('PATH', 'tiny.jsonl')));
    expect(again.status, again.output).toBe(0);
    const scores = 'select task_id, judge, repeat, sample, ask, score from judgements order by all';
    expect(await deployment.rows('again', scores)).toEqual(await rows(scores));
  });
});

const panel: Subject = {
  models: [
    '{ id: drifting, provider: sim }',
    '{ id: judge, provider: sim, study: false }',
    '{ id: steady, provider: sim, study: false }',
  ],
  content: `benchmarks:
  starter: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 16 } }
studies:
  - name: loops
    kind: evaloop
    benchmark: starter
    settings: { maxLoops: 4, judge: { models: [judge, steady], repeats: 3, temperature: 0.8 } }
`,
};

describe.skipIf(!hasProcessTable)('an endpoint', () => {
  let rounds: KillRounds;
  beforeAll(async () => {
    rounds = await openKillRounds(panel);
  }, 300_000);
  afterAll(() => rounds?.close());

  test('every judgement is asked once: as many requests as judgements, for each judge and repeat', () => {
    const folder = runFolder(rounds.newStudy('undisturbed'));
    const count = (sql: string): number => ledgerNumber(folder, sql) ?? 0;
    const broken = count("select count(distinct cell) from sample where step = 'judge'");
    expect(broken).toBeGreaterThan(1);
    expect(count("select count(*) from sample where step = 'judge' and ask = 0")).toBe(6 * broken);
    const judged = "from intent where step = 'judge' and state = 'answered'";
    expect(count(`select count(*) ${judged}`)).toBe(count("select count(*) from sample where step = 'judge'"));
    expect(count(`select count(*) ${judged} and ask = 0 and answering_model = 'steady'`)).toBe(3 * broken);
    expect(rounds.truth.calls).toBe(count('select count(*) from intent'));
  });

  long(
    `a run killed among its judgements goes on with those that are missing${inFull}`,
    async () => {
      const among = (least: number) => ({
        what: `after ${least} judgements`,
        reached: ({ folder }: { folder: string }) =>
          (ledgerNumber(folder, "select count(*) from sample where step = 'judge'") ?? 0) >= least,
        thenMs: 0,
      });
      await rounds.survives('killed', quickHeartbeats, [
        { moment: among(2), victims: everything },
        { moment: among(9), victims: ['llm'] },
      ]);
    },
    300_000,
  );
});
