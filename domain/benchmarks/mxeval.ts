/**
 * MXEVAL (MBXP): MBPP's problems in several languages, one file each. A prompt ends in the function's signature;
 * its tests are code that follows the program. References in languages other than Python are machine-made,
 * and missing for many tasks.
 */
import { z } from 'zod';
import { programLanguages } from '../../schemas/program.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import { languages } from '../languages/index.ts';
import {
  type BenchmarkFormat,
  checkedRecord,
  functionNameSchema,
  pythonFunctionSchema,
  withRecordHash,
} from './format.ts';
import { checkSuite } from './humaneval.ts';

const mxevalLanguages = programLanguages.filter((name) => languages[name].isInMxeval);

const recordSchema = z.object({
  task_id: z.string().regex(/^[A-Za-z]+\/\d+$/, 'expected a task id of MXEVAL, like MBJSP/2'),
  prompt: z.string().min(1),
  entry_point: functionNameSchema,
  canonical_solution: z.string().nullable(),
  test: z.string().min(1),
  language: z.enum(mxevalLanguages, `expected one of ${mxevalLanguages.join(', ')}`),
});
const pythonRecordSchema = recordSchema.extend({ entry_point: pythonFunctionSchema });
type MxevalRecord = z.infer<typeof recordSchema>;

export const mxeval: BenchmarkFormat = {
  name: 'mxeval',
  suites: ['base'],
  parseRecord(record, at) {
    const read = checkedRecord(recordSchema, record, at);
    const checked = read.language === 'python' ? checkedRecord(pythonRecordSchema, record, at) : read;
    const suite = languages[checked.language].isScript ? scriptSuite(checked) : checkSuite(checked, checked.test, at);
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

/** Equal numbers mean the same problem in every language. */
const sharedId = (sourceId: string): string => sourceId.replace(/^MB[A-Z]+(?=\/)/, 'MBPP');

/** One case: the whole test, which exits with a status other than 0 if a value is wrong. */
const scriptSuite = ({ entry_point, test }: MxevalRecord): Suite => ({
  name: 'base',
  inputs: [[]],
  expected: [true],
  oracle: { rule: 'equal' },
  script: { prelude: '', alias: entry_point, cases: [test] },
});
