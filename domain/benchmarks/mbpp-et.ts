/**
 * MBPP-ET: tests for MBPP's tasks, without references. It was made from the unsanitized data set, so some functions
 * have other names than in the sanitized one. Tests are joined to tasks by MBPP number and call the task's entry point.
 */
import { z } from 'zod';
import { InputError } from '../errors.ts';
import { assertSuite, checkFunction } from './assert-suite.ts';
import { type BenchmarkFormat, checkedRecord, pythonFunctionSchema, recordError } from './format.ts';

const recordSchema = z.object({
  ori_task_id: z.int().min(1),
  entry_point: z
    .string()
    .transform((name) => name.trim())
    .pipe(pythonFunctionSchema),
  test: z.string().min(1),
});

export const mbppEt: BenchmarkFormat = {
  name: 'mbpp-et',
  suites: ['et'],
  parseRecord(_record, at) {
    throw new InputError(
      'mbpp-et contains only tests: join it to mbpp-sanitized with suites: ' +
        '[base, { name: et, format: mbpp-et, path: ... }]',
      {
        file: at.file,
      },
    );
  },
  parseSuite(record, at) {
    const { ori_task_id, entry_point, test } = checkedRecord(recordSchema, record, at);
    const check = checkFunction(test);
    if (check === null) throw recordError('expected tests in a function check(candidate)', at, 'test');
    // The data set's authors replaced the name by `candidate` everywhere, even inside strings.
    const statements = check.body.map((text) => text.replaceAll('candidate', entry_point));
    // In 223 and 408 they mistook a helper for the entry point.
    const alias = /\b(?!(?:assert|not)\b)([A-Za-z_]\w*)\s*\(/.exec(statements[0] ?? '')?.[1] ?? entry_point;
    return { taskId: `MBPP/${ori_task_id}`, suite: assertSuite({ name: 'et', statements, alias, prelude: '' }) };
  },
};
