/** HumanEval: prompts that end in a signature with its docstring, tests in a function `check(candidate)`. */
import { z } from 'zod';
import type { Suite, Task } from '../../schemas/task.ts';
import { assertSuite, checkFunction } from './assert-suite.ts';
import {
  type BenchmarkFormat,
  checkedRecord,
  pythonFunctionSchema,
  type RecordPlace,
  recordError,
  withRecordHash,
} from './format.ts';
import { preambleOf } from './signature-prompt.ts';

/** The fields that HumanEval, HumanEval-ET and HumanEval+ share. */
export const humanevalFields = {
  // Other files in HumanEval's format use other names.
  task_id: z.string().regex(/^[A-Za-z][\w.-]*\/\d+$/, 'expected a name and a number, like HumanEval/0'),
  prompt: z.string().min(1),
  entry_point: pythonFunctionSchema,
  canonical_solution: z.string().min(1),
};
const recordSchema = z.object({ ...humanevalFields, test: z.string().min(1) });
type Fields = z.infer<z.ZodObject<typeof humanevalFields>>;

export const humaneval: BenchmarkFormat = {
  name: 'humaneval',
  suites: ['base'],
  parseRecord(record, at) {
    const checked = checkedRecord(recordSchema, record, at);
    return humanevalTask(checked, [checkSuite(checked, checked.test, at)]);
  },
};

/** The reference is the prompt followed by the solution. */
export function humanevalTask(fields: Fields, suites: readonly Suite[]): Task {
  return withRecordHash({
    taskId: fields.task_id,
    sourceTaskId: fields.task_id,
    language: 'python',
    prompt: fields.prompt,
    entryPoint: fields.entry_point,
    reference: fields.prompt + fields.canonical_solution,
    suites,
  });
}

/** Test code may use the prompt's helpers, which an answer that is a whole module need not repeat. */
export function checkSuite(
  { prompt, entry_point }: Pick<Fields, 'prompt' | 'entry_point'>,
  test: string,
  at: RecordPlace,
): Suite {
  const check = checkFunction(test);
  if (check === null) throw recordError('expected tests in a function check(candidate)', at, 'test');
  const beside = check.beside.filter((text) => !text.trimStart().startsWith('METADATA'));
  return assertSuite({
    name: 'base',
    statements: check.body,
    alias: 'candidate',
    prelude: [preambleOf(prompt, entry_point), ...beside].join('\n'),
  });
}
