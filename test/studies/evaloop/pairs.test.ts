import { expect, test } from 'vitest';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { dualPairNames } from '../../../schemas/spec/evaloop.ts';
import type { Task } from '../../../schemas/task.ts';
import { readQuestion } from '../../../simulator/question.ts';
import type { EvaloopStudy } from '../../../studies/evaloop/settings.ts';
import { evaloop } from '../../../studies/evaloop/study.ts';
import type { Answer, At, CellState } from '../../../studies/cell-state.ts';

const program = 'def add(a, b):\n    return a + b\n';
const task: Task = {
  taskId: 'T/1',
  sourceTaskId: '1',
  language: 'python',
  prompt: '"""\nWrite a function to add two numbers.\nassert add(1, 2) == 3\n"""\n',
  entryPoint: 'add',
  reference: program,
  suites: [],
  recordSha256: 'r',
};
const studyOf = (pair: string): EvaloopStudy =>
  parseSpec(
    JSON.stringify({
      name: 'n',
      models: [{ id: 'm', provider: 'simulated' }],
      benchmarks: { b: { format: 'evenkeel', path: 'x' } },
      studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'b', settings: { pair } }],
    }),
    's.json',
  ).studies[0] as EvaloopStudy;

/** A cell that has answered code in loop 1 and `words` to the question about it. */
const stateWith = (words: string): CellState => ({
  cell: { taskId: 'T/1', language: 'python', variant: 'original', setting: 'default', repetition: 0 },
  task,
  variant: null,
  answer: ({ step }: At) => ({ reply: { text: step === 'generate' ? program : words }, status: 'ok' }) as Answer,
  outcomes: () => undefined,
  sibling: () => stateWith(words),
  taskIn: () => task,
});
const asked = (pair: string, words: string, step: At['step'], loop: number): string =>
  evaloop.question(studyOf(pair), stateWith(words), { step, loop, ask: 0, sample: 0 }).messages.at(-1)?.content ?? '';

test.each(dualPairNames.filter((pair) => pair !== 'prose_pseudocode'))(
  '%s: first the benchmark’s prompt, then its own words and the assert line; code comes with its fence',
  (pair) => {
    const words = 'WHAT THE MODEL MADE OF IT';
    expect(asked(pair, words, 'generate', 1)).toBe(asked('summary', words, 'generate', 1));
    const about = asked(pair, words, 'summarize', 1);
    expect(about).toContain(`\`\`\`\n${program.trim()}`);
    expect(readQuestion(about)).toMatchObject({ kind: 'summarize' });
    const again = asked(pair, words, 'generate', 2);
    expect(again).toContain(`"""\n${words}\nassert add(1, 2) == 3\n"""`);
    expect(readQuestion(again)).toEqual({ kind: 'generate' });
  },
);

test('prose and pseudocode: the draft comes from the description, code and next description from the draft', () => {
  const words = 'FUNCTION add\n1. Add both.';
  const first = asked('prose_pseudocode', words, 'draft', 1);
  expect(first).toContain(`following task: \n${task.prompt}`);
  expect(readQuestion(first)).toEqual({ kind: 'pseudocode' });
  const coded = asked('prose_pseudocode', words, 'generate', 1);
  expect(coded).toContain(`following pseudocode: \n"""\n${words}\nassert add(1, 2) == 3\n"""`);
  expect(coded).not.toContain('Write a function to add two numbers');
  expect(readQuestion(coded)).toEqual({ kind: 'generate' });
  const about = asked('prose_pseudocode', words, 'summarize', 1);
  expect(about).not.toContain(program.trim());
  expect(readQuestion(about)).toEqual({ kind: 'unravel', pseudocode: `${words}\n` });
  expect(asked('prose_pseudocode', 'Add them.', 'draft', 2)).toContain(
    'following task: \n"""\nAdd them.\nassert add(1, 2) == 3\n"""',
  );
});

test('the pairs ask different things', () => {
  expect(new Set(dualPairNames.map((pair) => asked(pair, 'w', 'summarize', 1))).size).toBe(dualPairNames.length);
  expect(new Set(['summary', 'pseudocode', 'tests'].map((pair) => asked(pair, 'w', 'generate', 2))).size).toBe(3);
});
