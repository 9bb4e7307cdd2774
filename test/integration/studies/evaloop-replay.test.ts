/**
 * EVALOOP from raw replies to the numbers that `query` prints: real Temporal server, real sandbox, real Parquet. The
 * replies are recordings written here; what they must come to is counted by hand or printed in the paper.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import {
  assertOf,
  badReplies,
  benchmarkText,
  courseLines,
  fenced,
  type ReplayLine,
  replayText,
  rightCode,
  type TinyTask,
  tinyTasks,
} from '../../support/tiny-tasks.ts';

/** Tasks that sustained exactly 0..10 loops, ASL without similarities and pass@1: the paper's published rows. */
const golden = {
  'o3-mini': { sustained: [72, 10, 4, 4, 2, 1, 3, 4, 1, 0, 277], asl: 7.457, passAt1: 0.81 },
  'gpt-4o': { sustained: [91, 14, 1, 4, 2, 1, 0, 0, 0, 0, 265], asl: 7.04, passAt1: 0.759 },
  'nextcoder-7b': { sustained: [123, 94, 42, 2, 0, 1, 1, 0, 0, 0, 115], asl: 3.133, passAt1: 0.675 },
} as const;

const summaries: ReplayLine = {
  step: 'summarize',
  reply: 'Write a python function to add a fixed number to the given one.',
};
const goldenTasks = tinyTasks(378);
const endings = ['wrong_output', 'wrong_on_plus', 'exception', 'syntax_error', 'no_code'] as const;

/** Each task fails exactly where the row says, one after the other in each of the ways to fail. */
function goldenLines(sustainedCounts: readonly number[]): ReplayLine[] {
  const sustained = sustainedCounts.flatMap((count, loops) => Array.from({ length: count }, () => loops));
  const courses = goldenTasks.flatMap((task, index) => {
    const ending = endings[index % endings.length] ?? 'no_code';
    return courseLines(task, sustained[index] as number, 10, badReplies[ending](task));
  });
  return [...courses, summaries];
}

const workedTasks = tinyTasks(5, 'Worked');
const worked = [0, 1, 2, 3, 3];
const workedLines = [
  ...workedTasks.flatMap((task, index) => courseLines(task, worked[index] as number, 3, badReplies.wrong_output(task))),
  summaries,
];
const workedJudge: ReplayLine[] = [
  { step: 'judge', loop: 1, reply: '0.5' },
  { step: 'judge', loop: 2, reply: 'Score: 0.8' },
];

/** One task for each special case; M = 3. */
const edgeNames = [
  'unreadable judge',
  'judge readable when asked again',
  'refused summary',
  'empty summary',
  'truncated summary',
  'no code at first',
  'no code later',
  'missing dependency at first',
  'missing dependency later',
  'passes base only',
] as const;
type Edge = (typeof edgeNames)[number];
const edgeTasks = tinyTasks(edgeNames.length, 'Edge');
const edge = (name: Edge): TinyTask => edgeTasks[edgeNames.indexOf(name)] as TinyTask;
const course = (name: Edge, sustained: number, ending: keyof typeof badReplies = 'wrong_output'): ReplayLine[] =>
  courseLines(edge(name), sustained, 3, badReplies[ending](edge(name)));
const summaryOf = (name: Edge, reply: string, finish_reason: string): ReplayLine => ({
  task_id: edge(name).id,
  step: 'summarize',
  reply,
  finish_reason,
});
const cutSummary = 'Write a python function to add five to the giv';
const edgeLines: ReplayLine[] = [
  ...course('unreadable judge', 1),
  ...course('judge readable when asked again', 2),
  ...course('refused summary', 3),
  summaryOf('refused summary', 'I cannot help with that.', 'refusal'),
  ...course('empty summary', 3),
  summaryOf('empty summary', '', 'stop'),
  ...course('truncated summary', 3),
  summaryOf('truncated summary', cutSummary, 'length'),
  ...course('no code at first', 0, 'no_code'),
  ...course('no code later', 1, 'no_code'),
  ...course('missing dependency at first', 0, 'missing_dependency'),
  ...course('missing dependency later', 2, 'missing_dependency'),
  ...course('passes base only', 0, 'wrong_on_plus'),
  summaries,
];
const edgeJudge: ReplayLine[] = [
  { task_id: edge('unreadable judge').id, step: 'judge', reply: 'They are much alike.' },
  { task_id: edge('judge readable when asked again').id, step: 'judge', ask: 0, reply: 'Fairly similar, I would say.' },
  { task_id: edge('judge readable when asked again').id, step: 'judge', ask: 1, reply: '0.4' },
  { task_id: edge('no code later').id, step: 'judge', reply: '1.0' },
];

/**
 * Four tasks that sustain all three loops with the original prompt; the first is in capitals already, in capitals the
 * third fails at once and the fourth after a loop; T = 0.4 breaks the first.
 */
const attackedTasks = tinyTasks(4, 'Attacked');
const attackedLines: ReplayLine[] = [
  ...attackedTasks.flatMap((task) => courseLines(task, 3, 3, '')),
  ...[
    { at: 2, more: { variant: 'case', loop: 1 } },
    { at: 3, more: { variant: 'case', loop: 2 } },
    { at: 0, more: { setting: 'temperature_0.4', loop: 3 } },
  ].map(({ at, more }) => {
    const task = attackedTasks[at] as TinyTask;
    return { task_id: task.id, step: 'generate', ...more, reply: badReplies.wrong_output(task) };
  }),
  { ...summaries, setting: 'summary_simple', reply: 'Add a number, simply.' },
  summaries,
];
const attackedStudy =
  '{ maxLoops: 3, attacks: [case, typos], attackDraws: 2, summaryPrompts: [simple], temperatures: [0.4], ' +
  'sampledRuns: 2 }';

/**
 * Prose and pseudocode, M = 3: all loops; no draft at first; none in loop 2; wrong code in loop 2;
 * no description after loop 1.
 */
const proseOf = (at: number): TinyTask => workedTasks[at] as TinyTask;
const proseLines: ReplayLine[] = [
  ...workedTasks.flatMap((task, index) => courseLines(task, index === 3 ? 1 : 3, 3, badReplies.wrong_output(task))),
  { step: 'draft', reply: 'FUNCTION\n1. Add a fixed number.' },
  { task_id: proseOf(1).id, step: 'draft', loop: 1, reply: 'No.', finish_reason: 'refusal' },
  { task_id: proseOf(2).id, step: 'draft', loop: 2, reply: '' },
  // Its own words, since equal questions share their answer.
  { task_id: proseOf(4).id, step: 'draft', reply: 'FUNCTION\n1. Add five.' },
  { task_id: proseOf(4).id, step: 'summarize', reply: '' },
  summaries,
];

/**
 * What the authors' program would have written of the same five tasks, M = 3;
 * of the second and the last their tests said otherwise.
 */
const wrapped = (task: TinyTask, words: string): string => `"""\n${words}\n${assertOf(task)}\n"""\n`;
function trajectory(
  at: number,
  sustained: number,
  programs: readonly ('right' | 'wrong')[],
  words = 'Add a fixed number.',
) {
  const task = proseOf(at);
  const cycles = programs.map((program) => ({
    code_output: program === 'right' ? rightCode(task) : badReplies.wrong_output(task).replaceAll(/^```.*\n?/gm, ''),
    summary_output: wrapped(task, words),
  }));
  return { task_id: task.id, initial_prompt: wrapped(task, 'Task.'), cycles, successful_cycles: sustained };
}
const trajectories = {
  0: [trajectory(1, 0, ['right'])],
  2: [trajectory(2, 2, ['right', 'right', 'wrong']), trajectory(3, 2, ['right', 'right', 'wrong'], '')],
  3: [trajectory(0, 3, ['right', 'right', 'right']), trajectory(4, 3, ['right', 'wrong', 'right'])],
};

const spec = `
name: recorded
models:
  - { id: o3-mini, provider: replay, file: o3-mini.jsonl }
  - { id: gpt-4o, provider: replay, file: gpt-4o.jsonl }
  - { id: nextcoder-7b, provider: replay, file: nextcoder-7b.jsonl }
  - { id: worked, provider: replay, file: worked.jsonl }
  - { id: worked-judge, provider: replay, file: worked-judge.jsonl, study: false }
  - { id: edgy, provider: replay, file: edgy.jsonl }
  - { id: edge-judge, provider: replay, file: edge-judge.jsonl, study: false }
  - { id: attacked, provider: replay, file: attacked.jsonl }
  - { id: prose, provider: replay, file: prose.jsonl }
  - { id: imported, provider: replay, file: imported.jsonl }
  - { id: sure-sim, provider: simulated, profile: { competence: 1 } }
  - { id: forgetful-sim, provider: simulated, profile: { competence: 1, driftPerLoop: 1 } }
benchmarks:
  tiny: { format: evenkeel, path: tiny.jsonl }
  five: { format: evenkeel, path: five.jsonl }
  edges: { format: evenkeel, path: edges.jsonl }
  four: { format: evenkeel, path: four.jsonl }
studies:
  - { name: golden, kind: evaloop, benchmark: tiny, models: [o3-mini, gpt-4o, nextcoder-7b],
      settings: { maxLoops: 10 } }
  - { name: worked, kind: evaloop, benchmark: five, models: [worked, imported],
      settings: { maxLoops: 3, judge: worked-judge } }
  - { name: edges, kind: evaloop, benchmark: edges, models: [edgy], extraction: last-defining,
      settings: { maxLoops: 3, judge: edge-judge, judgeAsks: 3 } }
  - { name: prose, kind: evaloop, benchmark: five, models: [prose, sure-sim, forgetful-sim],
      settings: { maxLoops: 3, judge: worked-judge, pair: prose_pseudocode } }
  - { name: attacked, kind: evaloop, benchmark: four, models: [attacked], settings: ${attackedStudy} }
`;

let deployment: Deployment;
let end: Awaited<ReturnType<Deployment['evenkeel']>>;
const rows = (sql: string): Promise<Record<string, unknown>[]> => deployment.rows('recorded', sql);

beforeAll(async () => {
  deployment = await openDeployment();
  for (const [model, { sustained }] of Object.entries(golden))
    deployment.write(`${model}.jsonl`, replayText(goldenLines(sustained)));
  deployment.write('worked.jsonl', replayText(workedLines));
  deployment.write('worked-judge.jsonl', replayText(workedJudge));
  deployment.write('edgy.jsonl', replayText(edgeLines));
  deployment.write('edge-judge.jsonl', replayText(edgeJudge));
  deployment.write('attacked.jsonl', replayText(attackedLines));
  deployment.write('prose.jsonl', replayText(proseLines));
  const [shouted = '', ...spoken] = benchmarkText(attackedTasks).split('\n');
  deployment.write(
    'four.jsonl',
    [shouted.replace(/Write.*?number\./, (words) => words.toUpperCase()), ...spoken].join('\n'),
  );
  const recording = deployment.write('trajectories.json', JSON.stringify(trajectories));
  await deployment.evenkeel('import', recording, '--out', join(deployment.folder, 'imported.jsonl'));
  deployment.write('tiny.jsonl', benchmarkText(goldenTasks));
  deployment.write('five.jsonl', benchmarkText(workedTasks));
  deployment.write('edges.jsonl', benchmarkText(edgeTasks));
  end = await deployment.evenkeel('run', deployment.write('recorded.yaml', spec));
}, 300_000);
afterAll(() => deployment.close());

test('a sweep over recordings ends with status 0, and verify finds every byte and key of it', async () => {
  expect(end.status, end.output).toBe(0);
  const verified = await deployment.evenkeel('verify', 'recorded');
  expect(verified.status, verified.output).toBe(0);
});

test('the worked example gives 23/15 without similarities, 22.1/15 with judge replies 0.5 and 0.8', async () => {
  const [row] = await rows(
    `select asl, asl_unweighted, pass_at_1, n_sustained, n, judge from asl where model = 'worked'`,
  );
  expect(row).toEqual({
    asl: expect.closeTo(22.1 / 15, 12),
    asl_unweighted: expect.closeTo(23 / 15, 12),
    pass_at_1: 0.8,
    n_sustained: [1, 1, 1, 2],
    n: 5,
    judge: 'worked-judge',
  });
});

test.each(Object.entries(golden))(
  'raw replies give the published row of %s',
  async (model, { sustained, asl, passAt1 }) => {
    const [row] = await rows(`select * from asl where model = '${model}'`);
    expect(row?.['n_sustained']).toEqual(sustained);
    expect(row?.['asl_unweighted']).toBeCloseTo(asl, 3);
    expect(row?.['pass_at_1']).toBeCloseTo(passAt1, 3);
    expect(row).toMatchObject({
      n: 378,
      n_excluded: 0,
      max_loops: 10,
      asl: null,
      judge: null,
      reason: 'the study has no judge',
      simulated: false,
    });
  },
);

test('each loop of a published row fails in the way that its reply is wrong', async () => {
  const counted = await rows(
    "select ended_outcome, count(*) as tasks from loops where model = 'o3-mini' and ended_by != 'survived' group " +
      'by all order by all',
  );
  // 101 tasks fail, the five endings in turn: 21 of the first, 20 of each other; base-only ones are wrong outputs too,
  // and prose is a program by the authors' rule.
  expect(counted).toEqual([
    { ended_outcome: 'exception', tasks: 20 },
    { ended_outcome: 'syntax_error', tasks: 40 },
    { ended_outcome: 'wrong_output', tasks: 41 },
  ]);
});

test('nothing is asked after the loop that ended a task, and nothing twice', async () => {
  const [calls] = await rows(
    `select count(*) as calls, count(distinct call_key) as keys from calls where model = 'gpt-4o'`,
  );
  // Sustained i < 10: i + 1 programs and i summaries; 10: ten programs and nine summaries.
  const expected = golden['gpt-4o'].sustained.reduce<number>(
    (sum, count, loops) => sum + count * (loops === 10 ? 19 : 2 * loops + 1),
    0,
  );
  expect(calls).toEqual({ calls: expected, keys: expected });
});

test("an imported recording is judged again; tasks that its authors' tests judged otherwise are listed", async () => {
  const [row] = await rows(`select n_sustained from asl where model = 'imported'`);
  expect(row).toEqual({ n_sustained: [0, 2, 2, 1] });
  const asked = [
    'import',
    join(deployment.folder, 'trajectories.json'),
    '--compare',
    'recorded',
    '--model',
    'imported',
  ];
  const { status, stdout } = await deployment.evenkeel(...asked);
  expect([status, stdout.trim().split('\n')]).toEqual([
    0,
    [
      'Worked/2: 0 loops as recorded, 1 here: the code of loop 1 passes every suite here',
      expect.stringContaining(
        'Worked/5: 3 loops as recorded, 1 here: the code of loop 2 results in wrong_output on suite base',
      ),
      '2 of 5 tasks differ from the recording',
    ],
  ]);
});

describe('prose and pseudocode', () => {
  test('a task continues while description, draft and code arrive and pass; missing code is not judged', async () => {
    const found = await rows(
      'select sustained_loops, ended_by, similarity, similarity_reason from loops where ' +
        "model = 'prose' order by task_id",
    );
    expect(found).toEqual([
      { sustained_loops: 3, ended_by: 'survived', similarity: null, similarity_reason: 'not needed' },
      { sustained_loops: 0, ended_by: 'no_code', similarity: null, similarity_reason: 'not needed' },
      { sustained_loops: 1, ended_by: 'no_code', similarity: null, similarity_reason: 'no draft' },
      { sustained_loops: 1, ended_by: 'code_failed', similarity: 0.5, similarity_reason: null },
      { sustained_loops: 1, ended_by: 'no_summary', similarity: null, similarity_reason: 'no summary' },
    ]);
  });

  test('a loop has three questions, each made from the answer before', async () => {
    const asked = await rows(
      "select step, count(*) as answers from samples where model = 'prose' and study = " +
        "'prose' group by all order by all",
    );
    // Drafts: 3 + 1 + 2 + 2 + 1; code: 3 + 0 + 1 + 2 + 1; descriptions: 2 + 0 + 1 + 1 + 1.
    expect(asked).toEqual([
      { step: 'draft', answers: 9 },
      { step: 'generate', answers: 7 },
      { step: 'judge', answers: 1 },
      { step: 'summarize', answers: 5 },
    ]);
  });

  test('the tables of ranks and survival say the same as the loops', async () => {
    const survival = await rows(
      `select at_risk, ended, survival from loop_survival where model = 'prose' order by loop`,
    );
    expect(survival).toEqual([
      { at_risk: 5, ended: 1, survival: 0.8 },
      { at_risk: 4, ended: 3, survival: expect.closeTo(0.2, 12) },
      { at_risk: 1, ended: 0, survival: expect.closeTo(0.2, 12) },
    ]);
    const breaks = await rows(
      `select loop, n_format, n_semantics, n_drifted, n_unscored from loop_breaks where model = 'prose' order by loop`,
    );
    expect(breaks).toEqual([
      { loop: 1, n_format: 1, n_semantics: 0, n_drifted: 0, n_unscored: 0 },
      { loop: 2, n_format: 2, n_semantics: 1, n_drifted: 1, n_unscored: 2 },
    ]);
    const [first] = await rows(
      `select asl_place, pass_place, asl_unweighted, n_tasks from loop_ranks where model = 'sure-sim'`,
    );
    expect(first).toEqual({ asl_place: 1, pass_place: 1.5, asl_unweighted: 3, n_tasks: 5 });
  });

  test('a simulated model that forgets nothing survives, one that forgets everything soon fails', async () => {
    expect(
      await rows(`select model, n_sustained[4] as survived, pass_at_1 from asl where simulated order by model`),
    ).toEqual([
      { model: 'forgetful-sim', survived: 0, pass_at_1: 1 },
      { model: 'sure-sim', survived: 5, pass_at_1: 1 },
    ]);
  });
});

describe('attacks and settings', () => {
  const of = "study = 'attacked'";

  test('each runs by itself: sustained loops counted by hand', async () => {
    const found = await rows(
      `select variant, setting, list(sustained_loops order by task_id, repetition) as sustained from loops
       where ${of} and ended_by <> 'excluded' group by all order by all`,
    );
    expect(found).toEqual([
      { variant: 'case', setting: 'default', sustained: [3, 0, 1] },
      { variant: 'original', setting: 'default', sustained: [3, 3, 3, 3] },
      { variant: 'original', setting: 'sampled', sustained: [3, 3, 3, 3, 3, 3, 3, 3] },
      { variant: 'original', setting: 'summary_simple', sustained: [3, 3, 3, 3] },
      { variant: 'original', setting: 'temperature_0.4', sustained: [2, 3, 3, 3] },
      { variant: 'typos-1', setting: 'default', sustained: [3, 3, 3, 3] },
      { variant: 'typos-2', setting: 'default', sustained: [3, 3, 3, 3] },
    ]);
  });

  test('an attacked prompt keeps its assert line; an attack that changes nothing is not asked', async () => {
    const asked = await rows(
      `select distinct p.messages from samples s join prompts p using (prompt_sha256) where s.${of} and s.variant ` +
        "= 'case' and loop = 1 and task_id = 'Attacked/3'",
    );
    expect(asked.map(({ messages }) => String(messages))).toEqual([
      expect.stringContaining('WRITE A PYTHON FUNCTION TO ADD 3'),
    ]);
    expect(String(asked[0]?.['messages'])).toContain(assertOf(attackedTasks[2] as TinyTask));
    const variants = await rows(
      `select variant, attack, status, reason from variants where ${of} and task_id = 'Attacked/1' order by variant`,
    );
    const left = await rows(
      `select task_id, variant, ended_by, ended_outcome from loops where ${of} and ended_by = 'excluded'`,
    );
    expect(variants).toEqual([
      { variant: 'case', attack: 'case', status: 'missing', reason: 'case changes nothing in this prompt' },
      { variant: 'typos-1', attack: 'typos', status: 'accepted', reason: null },
      { variant: 'typos-2', attack: 'typos', status: 'accepted', reason: null },
    ]);
    expect(left).toEqual([{ task_id: 'Attacked/1', variant: 'case', ended_by: 'excluded', ended_outcome: 'not_run' }]);
  });

  test('table attacks: of three tasks one fails at once, one sustains fewer loops; one discordant task', async () => {
    const [row] = await rows(`select * from attacks where ${of} and attack = 'case'`);
    expect(row).toMatchObject({
      pass_at_1_original: 1,
      pass_at_1: expect.closeTo(2 / 3, 12),
      broken: 1,
      mended: 0,
      p: 1,
      n: 3,
      n_unchanged: 1,
      family: 'format',
      draws: 1,
    });
    expect([row?.['asl_unweighted_original'], row?.['asl_unweighted']]).toEqual([
      3,
      expect.closeTo((9 + 0 + 1) / 9, 12),
    ]);
  });

  test('another summary prompt and another temperature are sent, and table settings says so', async () => {
    const said = await rows(
      `select distinct s.setting, p.messages like '%Summarize this code in one sentence%' as simple from samples s
        join prompts p using (prompt_sha256)
       where s.${of} and s.step = 'summarize' and s.variant = 'original' order by all`,
    );
    expect(said).toEqual(
      ['default', 'sampled', 'summary_simple', 'temperature_0.4'].map((setting) => ({
        setting,
        simple: setting === 'summary_simple',
      })),
    );
    const sent = await rows(
      `select distinct setting, parameters_sent::json->>'$.temperature' as temperature from calls where ${of} and ` +
        "variant = 'original' order by all",
    );
    expect(sent).toEqual([
      { setting: 'default', temperature: '0' },
      { setting: 'sampled', temperature: '0.7' },
      { setting: 'summary_simple', temperature: '0' },
      { setting: 'temperature_0.4', temperature: '0.4' },
    ]);
    expect(
      await rows(`select setting, temperature, summary_prompt from settings where ${of} order by setting`),
    ).toEqual([
      { setting: 'default', temperature: 0, summary_prompt: 'initial' },
      { setting: 'sampled', temperature: 0.7, summary_prompt: 'initial' },
      { setting: 'summary_simple', temperature: 0, summary_prompt: 'simple' },
      { setting: 'temperature_0.4', temperature: 0.4, summary_prompt: 'initial' },
    ]);
  });
});

describe('special cases', () => {
  const loopOf = async (name: Edge): Promise<Record<string, unknown> | undefined> => {
    const [row] = await rows(
      'select sustained_loops, ended_by, ended_outcome, similarity, similarity_reason from loops where task_id = ' +
        `'${edge(name).id}'`,
    );
    return row;
  };

  test('a judge without a score is asked three times, then the similarity is null', async () => {
    expect(await loopOf('unreadable judge')).toMatchObject({
      sustained_loops: 1,
      similarity: null,
      similarity_reason: 'no score could be read',
    });
    const asked = await rows(
      `select ask, score from judgements where task_id = '${edge('unreadable judge').id}' order by ask`,
    );
    expect(asked).toEqual([0, 1, 2].map((ask) => ({ ask, score: null })));
  });

  test('a judge that gives a score when asked again is not asked a third time', async () => {
    expect(await loopOf('judge readable when asked again')).toMatchObject({
      sustained_loops: 2,
      similarity: 0.4,
      similarity_reason: null,
    });
    const asked = await rows(
      `select ask, score from judgements where task_id = '${edge('judge readable when asked again').id}' order by ask`,
    );
    expect(asked).toEqual([
      { ask: 0, score: null },
      { ask: 1, score: 0.4 },
    ]);
  });

  test.each(['refused summary', 'empty summary'] as const)(
    'a %s ends the task with the loops it has, without similarity',
    async (name) => {
      expect(await loopOf(name)).toEqual({
        sustained_loops: 1,
        ended_by: 'no_summary',
        ended_outcome: null,
        similarity: null,
        similarity_reason: 'no summary',
      });
    },
  );

  test('a truncated summary is used as it is and flagged', async () => {
    const task = edge('truncated summary');
    expect(await loopOf('truncated summary')).toMatchObject({ sustained_loops: 3, ended_by: 'survived' });
    const flagged = await rows(
      `select reply_status from samples where task_id = '${task.id}' and step = 'summarize' order by loop`,
    );
    expect(flagged).toEqual([{ reply_status: 'truncated' }, { reply_status: 'truncated' }]);
    const asked = await rows(
      `select distinct p.messages from samples s join prompts p using (prompt_sha256)
       where s.task_id = '${task.id}' and s.step = 'generate' and s.loop = 2`,
    );
    const messages = JSON.parse(String(asked[0]?.['messages'])) as { role: string; content: string }[];
    expect(messages).toEqual([
      { role: 'system', content: 'You are a helpful AI assistant.' },
      {
        role: 'user',
        content:
          `Generate Python code for the following task: \n"""\n${cutSummary}\n${assertOf(task)}\n"""\n\n` +
          'Return only the code, without explanations or comments.',
      },
    ]);
  });

  test('a reply without code ends the task, judged when it has sustained a loop', async () => {
    expect(await loopOf('no code at first')).toMatchObject({
      sustained_loops: 0,
      ended_by: 'no_code',
      similarity: null,
    });
    expect(await loopOf('no code later')).toMatchObject({ sustained_loops: 1, ended_by: 'no_code', similarity: 1 });
    const run = await rows(
      `select execution_id, outcome from verdicts where task_id = '${edge('no code at first').id}'`,
    );
    expect(run).toEqual([
      { execution_id: null, outcome: 'no_code' },
      { execution_id: null, outcome: 'no_code' },
    ]);
  });

  test('code that passes base and fails plus has failed', async () => {
    expect(await loopOf('passes base only')).toMatchObject({
      sustained_loops: 0,
      ended_by: 'code_failed',
      ended_outcome: 'wrong_output',
    });
    const outcomes = await rows(
      `select suite, outcome from verdicts where task_id = '${edge('passes base only').id}' order by suite`,
    );
    expect(outcomes).toEqual([
      { suite: 'base', outcome: 'pass' },
      { suite: 'plus', outcome: 'wrong_output' },
    ]);
  });

  test('a module that the sandbox lacks is not a failure: such tasks are excluded, in any loop', async () => {
    expect(await loopOf('missing dependency at first')).toMatchObject({
      ended_by: 'excluded',
      ended_outcome: 'missing_dependency',
    });
    expect(await loopOf('missing dependency later')).toMatchObject({
      ended_by: 'excluded',
      similarity: null,
      similarity_reason: 'not counted',
    });
    const judged = await rows(`select * from judgements where task_id = '${edge('missing dependency later').id}'`);
    expect(judged).toEqual([]);
  });

  test('the row of the ten special tasks equals the hand count', async () => {
    const [row] = await rows(
      `select n_sustained, n, n_excluded, n_unscored, asl_unweighted, asl, pass_at_1 from asl where model = 'edgy'`,
    );
    expect(row).toEqual({
      // 0: no code at first, base only. 1: unreadable judge, refused, empty, no code later. 2:
      // judge asked again. 3: truncated.
      n_sustained: [2, 4, 1, 1],
      n: 8,
      n_excluded: 2,
      n_unscored: 3,
      asl_unweighted: expect.closeTo((4 * 1 + 1 * 4 + 1 * 9) / (3 * 8), 12),
      // s_1 = 1 (the one scored task), s_2 = (1 + 0.4) / 2, s_3 = 1.
      asl: expect.closeTo((4 * 1 * 1 + 1 * 4 * 0.7 + 1 * 9 * 1) / (3 * 8), 12),
      // Also of the task that passed the first loop and was excluded in the second.
      pass_at_1: 7 / 9,
    });
  });

  test('code in a fence is extracted unchanged', async () => {
    const task = edge('truncated summary');
    const samples = await rows(
      `select reply, solution from samples where task_id = '${task.id}' and step = 'generate' and loop = 1`,
    );
    expect(samples[0]?.['reply']).toBe(fenced(rightCode(task)));
    expect(String(samples[0]?.['solution']).trim()).toBe(rightCode(task).trim());
  });
});
