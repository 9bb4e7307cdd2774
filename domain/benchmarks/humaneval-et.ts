/** HumanEval-ET: HumanEval's tasks with more asserts, given as a list of texts that call the entry point by name. */
import { z } from 'zod';
import { assertSuite, testStatements } from './assert-suite.ts';
import { type BenchmarkFormat, checkedRecord } from './format.ts';
import { humanevalFields, humanevalTask } from './humaneval.ts';
import { preambleOf } from './signature-prompt.ts';

const recordSchema = z.object({
  ...humanevalFields,
  test_case_list: z.array(z.string()).min(1, 'expected at least one assert'),
});

export const humanevalEt: BenchmarkFormat = {
  name: 'humaneval-et',
  suites: ['et'],
  parseRecord(record, at) {
    const checked = checkedRecord(recordSchema, record, at);
    const { prompt, entry_point: alias, test_case_list: asserts } = checked;
    const statements = asserts.flatMap(testStatements);
    return humanevalTask(checked, [assertSuite({ name: 'et', statements, alias, prelude: preambleOf(prompt, alias) })]);
  },
};
