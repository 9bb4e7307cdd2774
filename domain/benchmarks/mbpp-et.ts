/**
 * MBPP-ET: tests for MBPP's tasks, without references. Made from the unsanitized data set, so that some functions have other names than in
 * the sanitized one; the tests are joined to its tasks by the MBPP number and call whatever the task's entry point is.
 */
import { z } from 'zod';
import { InputError } from '../errors.ts';
import { assertSuite, checkFunction } from './assert-suite.ts';
import { type BenchmarkFormat, checkedRecord, functionNameSchema, recordError } from './format.ts';

const recordSchema = z.object({
  ori_task_id: z.int().min(1),
  entry_point: z
    .string()
    .transform((name) => name.trim())
    .pipe(functionNameSchema),
  test: z.string().min(1),
});

export const mbppEt: BenchmarkFormat = {
  name: 'mbpp-et',
  suites: ['et'],
  parseRecord(_record, at) {
    throw new InputError('mbpp-et holds tests only: join it to mbpp-sanitized, suites: [base, { name: et, format: mbpp-et, path: ... }]', {
      file: at.file,
    });
  },
  parseSuite(record, at) {
    const { ori_task_id, entry_point, test } = checkedRecord(recordSchema, record, at);
    const check = checkFunction(test);
    if (check === null) throw recordError('tests in a function check(candidate)', at, 'test');
    // The data set's authors replaced the name by `candidate` wherever its letters stood, in texts too.
    const statements = check.body.map((text) => text.replaceAll('candidate', entry_point));
    // In 223 and 408 they took a helper for the entry point.
    const alias = /\b(?!(?:assert|not)\b)([A-Za-z_]\w*)\s*\(/.exec(statements[0] ?? '')?.[1] ?? entry_point;
    return { taskId: `MBPP/${ori_task_id}`, suite: assertSuite({ name: 'et', statements, alias, prelude: '' }) };
  },
};
