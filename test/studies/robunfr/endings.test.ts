/** How a cell of NFR-Enhanced ends where its plain answer was not asked for, as in a run that is judged again. */
import { expect, test } from 'vitest';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { ChatReply } from '../../../schemas/chat.ts';
import type { ReplyStatus } from '../../../schemas/states.ts';
import type { Task } from '../../../schemas/task.ts';
import type { CellState, StudyPage } from '../../../studies/cell-state.ts';
import { robunfrRows } from '../../../studies/robunfr/rows.ts';
import { isRobunfr } from '../../../studies/robunfr/steps.ts';

const [study] = parseSpec(
  `
name: r
models: [{ id: m, provider: simulated }]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: ways, kind: robunfr-workflows, benchmark: b, settings: { dimensions: [reliability] } }]
`,
  'r.yaml',
).studies.filter(isRobunfr);

const reply: ChatReply = {
  ...{ text: '', finishReason: 'stop', returnedModel: null, fingerprint: null, inputTokens: null, cachedTokens: null },
  ...{ outputTokens: null, reasoningTokens: null, logprobs: null },
};
const task: Task = {
  ...{ taskId: 'T/1', sourceTaskId: '1', language: 'python', prompt: 'def f(x):\n    """Halve."""\n' },
  ...{ entryPoint: 'f', reference: 'def f(x):\n    return x / 2\n', suites: [], recordSha256: '1' },
};

/** Without an improvement. */
const cell = (status: ReplyStatus): CellState => ({
  cell: { taskId: 'T/1', language: 'python', variant: 'reliability-01', setting: 'nfr-enhanced', repetition: 0 },
  ...{ task, variant: null },
  answer: ({ step }) => (step === 'generate' ? { reply, status } : undefined),
  outcomes: () => undefined,
  taskIn: () => task,
  sibling: () => cell(status),
});

const page = (state: CellState): StudyPage => ({
  ...{ key: () => ({}), cells: [state], simulated: false, isSimulated: () => false },
});

// Red before: nothing_to_improve, a failure, of an answer that nobody asked for.
test.each([
  ['not_asked', null, 'excluded'],
  ['prompt_too_long', null, 'excluded'],
  ['ok', false, 'nothing_to_improve'],
] as const)('a plain answer that is %s, without an improvement', (status, passed, failure) => {
  if (study === undefined) throw new Error('no study');
  const { nfr_scores: rows } = robunfrRows(study, page(cell(status)));
  expect(rows).toMatchObject([{ step: 'improve', passed, failure }]);
});
