/**
 * MXEVAL (MBXP): MBPP's problems in several languages, one file each. A prompt ends in the function's signature; its tests are code behind the program.
 * References are machine-made outside Python and missing for many tasks.
 */
import { z } from 'zod';
import type { Suite, Task } from '../../schemas/task.ts';
import { type BenchmarkFormat, checkedRecord, functionNameSchema, withRecordHash } from './format.ts';
import { checkSuite } from './humaneval.ts';

/** Languages of MXEVAL that the sandbox runs. */
const mxevalLanguages = ['python', 'javascript', 'php', 'ruby', 'perl'] as const;

const recordSchema = z.object({
  task_id: z.string().regex(/^[A-Za-z]+\/\d+$/, 'a task id of MXEVAL is like MBJSP/2'),
  prompt: z.string().min(1),
  entry_point: functionNameSchema,
  canonical_solution: z.string().nullable(),
  test: z.string().min(1),
  language: z.enum(mxevalLanguages, `one of ${mxevalLanguages.join(', ')}`),
});
type MxevalRecord = z.infer<typeof recordSchema>;

export const mxeval: BenchmarkFormat = {
  name: 'mxeval',
  suites: ['base'],
  parseRecord(record, at) {
    const checked = checkedRecord(recordSchema, record, at);
    const suite = checked.language === 'python' ? checkSuite(checked, checked.test, at) : scriptSuite(checked);
    return mxevalTask(checked, suite);
  },
};

const mxevalTask = ({ task_id, language, prompt, entry_point, canonical_solution }: MxevalRecord, suite: Suite): Task =>
  withRecordHash({
    taskId: sharedId(task_id),
    sourceTaskId: task_id,
    language,
    prompt,
    entryPoint: entry_point,
    reference: canonical_solution === null ? '' : prompt + canonical_solution,
    suites: [suite],
  });

/** The same number is the same problem in every language. */
const sharedId = (sourceId: string): string => sourceId.replace(/^MB[A-Z]+(?=\/)/, 'MBPP');

/** One case: the whole test, which ends the program with another status than 0 when a value is wrong. */
const scriptSuite = ({ entry_point, test }: MxevalRecord): Suite => ({
  name: 'base',
  inputs: [[]],
  expected: [true],
  oracle: { rule: 'equal' },
  script: { prelude: '', alias: entry_point, cases: [test] },
});
