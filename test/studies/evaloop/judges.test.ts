/** Several judges and repeats: what is asked, what it is called, and the rows that its answers make. */
import { expect, test } from 'vitest';
import { callFor, questionAt } from '../../../activities/calls/call.ts';
import type { PageCell } from '../../../activities/pages/cell-states.ts';
import type { RunPage } from '../../../activities/runs/opened/run.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { StudyPage } from '../../../studies/cell-state.ts';
import type { Answer, At, CellState } from '../../../studies/cell-state.ts';
import { evaloopCalls } from '../../../studies/evaloop/forecast.ts';
import { judgementsOf, judgePanel } from '../../../studies/evaloop/judges.ts';
import { evaloopRows } from '../../../studies/evaloop/rows.ts';
import type { EvaloopStudy } from '../../../studies/evaloop/settings.ts';
import { evaloop } from '../../../studies/evaloop/study.ts';
import { settingRows } from '../../../activities/rows/run-rows.ts';
import type { Task } from '../../../schemas/task.ts';

const task: Task = {
  ...{ taskId: 'T/1', sourceTaskId: '1', language: 'python', entryPoint: 'add', recordSha256: 'r' },
  prompt: '"""\nWrite a function to add two numbers.\nassert add(1, 2) == 3\n"""\n',
  reference: 'def add(a, b):\n    return a + b\n',
  suites: [{ name: 'base' }] as unknown as Task['suites'],
};

const studyOf = (judge: unknown, more: object = {}): EvaloopStudy =>
  parseSpec(
    JSON.stringify({
      name: 'n',
      models: ['m', 'a', 'b'].map((id) => ({ id, provider: 'simulated' })),
      benchmarks: { b: { format: 'evenkeel', path: 'x' } },
      studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'b', settings: { judge, maxLoops: 3, ...more } }],
    }),
    's.json',
  ).studies[0] as EvaloopStudy;

/** A cell whose second program failed. @param scores the judges' answers by `sample/ask` */
const brokenCell = (scores: Readonly<Record<string, string>>): CellState => {
  const cell: CellState = {
    cell: { taskId: 'T/1', language: 'python', variant: 'original', setting: 'default', repetition: 0 },
    task,
    variant: null,
    answer: ({ step, loop, ask, sample }: At) => {
      const text = { generate: task.reference, summarize: `add, loop ${loop}` } as const;
      const reply = step === 'judge' ? scores[`${sample}/${ask}`] : text[step as 'generate'];
      return reply === undefined ? undefined : ({ reply: { text: reply }, status: 'ok' } as Answer);
    },
    outcomes: ({ loop }) => [{ suite: 'base', outcome: loop === 1 ? 'pass' : 'wrong_output' }],
    sibling: () => cell,
    taskIn: () => task,
  };
  return cell;
};

const judgeAt = (sample: number, ask = 0): At => ({ step: 'judge', loop: 1, ask, sample });
const panel = { models: ['b', 'a'], repeats: 2 };

test('a name is one judge asked once; none is nobody', () => {
  expect(judgementsOf(judgePanel(studyOf('a').settings))).toEqual([{ model: 'a', repeat: 0 }]);
  expect(judgementsOf(judgePanel(studyOf('none').settings))).toEqual([]);
  expect(judgementsOf(judgePanel(studyOf({ models: ['a'] }).settings))).toEqual([{ model: 'a', repeat: 0 }]);
});

test('judgements are numbered judge by judge; each question goes to its judge, as that judge’s repeat', () => {
  const study = studyOf(panel);
  const questions = [0, 1, 2, 3].map((sample) => evaloop.question(study, brokenCell({}), judgeAt(sample)));
  expect(questions.map(({ asked, sample }) => [asked, sample])).toEqual([
    [{ role: 'judge', model: 'b' }, 0],
    [{ role: 'judge', model: 'b' }, 1],
    [{ role: 'judge', model: 'a' }, 0],
    [{ role: 'judge', model: 'a' }, 1],
  ]);
  expect(new Set(questions.map(({ messages }) => JSON.stringify(messages))).size).toBe(1);
  expect(questions.map(({ parameters }) => parameters)).toEqual(Array(4).fill({ temperature: 0, maxTokens: 64 }));
  expect(() => evaloop.question(study, brokenCell({}), judgeAt(4))).toThrow('study loops has no judgement 4');
});

test('above temperature 0, each repeat and each further ask has a seed, the same for every judge', () => {
  const study = studyOf({ ...panel, temperature: 0.7 });
  const seeds = [judgeAt(0), judgeAt(1), judgeAt(0, 1), judgeAt(2)].map(
    (where) => evaloop.question(study, brokenCell({}), where).parameters.seed,
  );
  expect(new Set(seeds.slice(0, 3)).size).toBe(3);
  expect(seeds[3]).toBe(seeds[0]);
});

// Red where a question is its text to the letter: each rule ends programs in its own way.
test('a question to a judge is the same without white space around its texts and at the ends of their lines', () => {
  const asked = (summary: string, code: string, extraction: string) => {
    const cell = brokenCell({});
    const texts = { summarize: summary, generate: code } as const;
    const state: CellState = {
      ...cell,
      answer: ({ step }) => ({ reply: { text: texts[step as 'generate'] }, status: 'ok' }) as Answer,
    };
    const study = { ...studyOf('a'), extraction } as EvaloopStudy;
    const { messages, plainMessages } = evaloop.question(study, state, judgeAt(0));
    return { exact: JSON.stringify(messages), plain: JSON.stringify(plainMessages) };
  };
  const fenced = '```python\ndef add(a, b):\n    return a + b\n```';
  const [paper, other] = [asked('add', fenced, 'paper'), asked('add', fenced, 'last-defining')];
  expect(other.exact).not.toBe(paper.exact);
  expect(other.plain).toBe(paper.plain);
  const spaced = '```python\n\ndef add(a, b):  \n    return a + b\n\n```';
  expect(asked('\n add \n', spaced, 'paper').plain).toBe(paper.plain);
  expect(asked('add', fenced.replace('    ', '  '), 'paper').plain).not.toBe(paper.plain);
  expect(asked('a dd', fenced, 'paper').plain).not.toBe(paper.plain);
});

/** The call key of a judgement, at models that send their own names to one endpoint. */
function callOf(study: EvaloopStudy, sample: number, thinks = false) {
  const model = (id: string) => ({ id, requestedModel: id, parameters: {}, price: null, free: true });
  const page = {
    ...{ kind: evaloop, study, model: 'm', page: 'p' },
    run: { model, reasoners: { thinks: () => thinks } },
    coordinates: () => ({}),
  } as unknown as RunPage;
  const cell = { ...brokenCell({}), index: 0 } as unknown as PageCell;
  return callFor(page, cell, [judgeAt(sample)], questionAt(page, cell, judgeAt(sample)), {
    endpointIdentity: 'endpoint',
  });
}
const keyOf = (study: EvaloopStudy, sample: number): string | undefined => callOf(study, sample).reserve.callKeys[0];

test('the first call of a judge has the key that it has alone, in any panel and place', () => {
  const alone = keyOf(studyOf('a'), 0);
  expect(keyOf(studyOf({ models: ['a'], repeats: 3 }), 0)).toBe(alone);
  expect(keyOf(studyOf(panel), 2)).toBe(alone);
  expect(new Set([0, 1, 2, 3].map((sample) => keyOf(studyOf(panel), sample))).size).toBe(4);
});

test('a judge that thinks is sent no limit, under the key that the call has with it', () => {
  const [plain, thinking] = [callOf(studyOf(panel), 0), callOf(studyOf(panel), 0, true)];
  expect([plain, thinking].map(({ request }) => request.parameters.maxTokens)).toEqual([64, undefined]);
  expect(thinking.reserve.callKeys).toEqual(plain.reserve.callKeys);
  expect(JSON.parse(thinking.reserve.parametersSent)).toEqual({ temperature: 0 });
  expect(thinking.bounds.output).toBeGreaterThan(plain.bounds.output);
});

test('a recording is asked for the judge’s repeat, the ledger has the number of the judgement', () => {
  const { coordinates, reserve } = callOf(studyOf(panel), 3);
  expect([coordinates.sample, reserve.key.sample, reserve.answeringModel]).toEqual([1, 3, 'a']);
});

test('the plan has the calls of each judge: repeats at the expected breaks, asks times repeats at most', () => {
  const judges = (judge: unknown) => evaloopCalls(studyOf(judge)).filter(({ step }) => step === 'judge');
  const [once] = judges('a');
  const many = judges({ models: ['a', 'b'], repeats: 4 });
  expect(many.map(({ asked }) => asked)).toEqual(['a', 'b'].map((model) => ({ role: 'judge', model })));
  for (const { calls, inSeries } of many) {
    expect(calls.expected).toBeCloseTo(4 * (once?.calls.expected ?? 0), 12);
    expect([calls.minimum, calls.maximum, inSeries.maximum]).toEqual([0, 12, 3]);
  }
});

const page = (cell: CellState): StudyPage => ({
  key: () => ({ task_id: 'T/1' }),
  cells: [cell],
  simulated: false,
  isSimulated: (model) => model === 'a',
});

// Red before: "the answer held no score in [0, 1]", of an answer that nobody had asked for.
test('a question that the recorded run did not ask its judge is called that', () => {
  const cell = brokenCell({ '0/0': '', '1/0': 'alike' });
  const unasked: CellState = {
    ...cell,
    answer: (where) => {
      const answer = cell.answer(where);
      return answer?.reply.text === '' ? { ...answer, status: 'not_asked' } : answer;
    },
  };
  const why = 'the judge was not asked this question in the recorded run';
  const rowsOf = (judge: unknown, of: CellState) => evaloopRows(studyOf(judge), page(of));
  expect(rowsOf('b', unasked).judgements?.map(({ reason }) => reason)).toEqual([why]);
  expect(rowsOf('b', unasked).loops?.[0]).toMatchObject({ similarity: null, similarity_reason: why });
  const both = rowsOf({ models: ['b'], repeats: 2 }, unasked);
  expect(both.judgements?.map(({ reason }) => reason)).toEqual([why, 'the answer held no score in [0, 1]']);
  expect(both.loops?.[0]).toMatchObject({ similarity: null, similarity_reason: 'no score could be read' });
});

test('rows: every answer of every judgement, and the mean over judges of their means as similarity', () => {
  const cell = brokenCell({
    '0/0': '0.2',
    '1/0': '0.4',
    '2/0': 'alike',
    '2/1': '0.9',
    '3/0': '?',
    '3/1': '?',
    '3/2': '?',
  });
  const { loops, judgements } = evaloopRows(studyOf(panel), page(cell));
  // b: 0.3; a: 0.9 when asked again, and no score in its second repeat.
  expect(loops?.[0]?.['similarity']).toBeCloseTo(0.6, 12);
  expect(judgements?.map((row) => ['judge', 'repeat', 'sample', 'ask', 'score'].map((name) => row[name]))).toEqual([
    ['b', 0, 0, 0, 0.2],
    ['b', 1, 1, 0, 0.4],
    ['a', 0, 2, 0, null],
    ['a', 0, 2, 1, 0.9],
    ['a', 1, 3, 0, null],
    ['a', 1, 3, 1, null],
    ['a', 1, 3, 2, null],
  ]);
  expect(judgements?.map(({ simulated }) => simulated)).toEqual([false, false, true, true, true, true, true]);
});

test('a break that nobody could score has no similarity', () => {
  const cell = brokenCell({ '0/0': '?', '1/0': '?', '2/0': '?', '3/0': '?' });
  const { loops } = evaloopRows(studyOf(panel, { judgeAsks: 1 }), page(cell));
  expect(loops?.[0]).toMatchObject({ similarity: null, similarity_reason: 'no score could be read' });
});

test('table settings names all judges and their repeats', () => {
  const run = { runId: 'r', spec: { studies: [studyOf(panel)] }, model: (id: string) => ({ simulated: id === 'a' }) };
  expect(settingRows(run as never)[0]).toMatchObject({ judge: 'b, a', judge_repeats: 2, simulated: true });
});
