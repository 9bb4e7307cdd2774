/**
 * MBPP sanitized, or the whole of MBPP: a text, a reference and asserts. Only the tests contain the function's name.
 */
import { z } from 'zod';
import { definesName } from '../extraction/statements.ts';
import { assertSuite, testStatements } from './assert-suite.ts';
import { type BenchmarkFormat, checkedRecord, type RecordPlace, recordError, withRecordHash } from './format.ts';
import { signaturePrompt } from './signature-prompt.ts';

const sanitized = z.object({
  task_id: z.int().min(1),
  prompt: z.string().min(1),
  code: z.string().min(1),
  test_imports: z.array(z.string()),
  test_list: z.array(z.string()).min(1, 'expected at least one assert'),
});
/** The whole of MBPP (`mbpp.jsonl`) has other names for two fields. */
const unsanitized = z.looseObject({ text: z.string(), test_setup_code: z.string(), prompt: z.undefined().optional() });
const recordSchema = z.preprocess((record) => {
  const { data } = unsanitized.safeParse(record);
  return data === undefined ? record : { ...data, prompt: data.text, test_imports: [data.test_setup_code] };
}, sanitized);
type MbppRecord = z.infer<typeof recordSchema>;

export const mbppSanitized: BenchmarkFormat = {
  name: 'mbpp-sanitized',
  suites: ['base'],
  parseRecord(record, at) {
    const checked = checkedRecord(recordSchema, record, at);
    const entryPoint = calledFunction(checked, at);
    const prompt = signaturePrompt(checked.code, entryPoint, checked.prompt);
    if (prompt === null) throw recordError(`expected a reference that defines ${entryPoint} with def`, at, 'code');
    return withRecordHash({
      taskId: `MBPP/${checked.task_id}`,
      sourceTaskId: String(checked.task_id),
      language: 'python',
      prompt,
      entryPoint,
      reference: checked.code,
      suites: [
        assertSuite({
          name: 'base',
          statements: checked.test_list.flatMap(testStatements),
          alias: entryPoint,
          prelude: checked.test_imports.join('\n'),
        }),
      ],
    });
  },
};

/** The first name that the first test calls and the reference defines: `set(similar_elements(...))` calls two. */
function calledFunction({ code, test_list }: MbppRecord, at: RecordPlace): string {
  const called = [...(test_list[0] ?? '').matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].map(([, name]) => name as string);
  const entryPoint = called.find((name) => definesName(code, name));
  if (entryPoint === undefined)
    throw recordError('expected a first test that calls a function defined in `code`', at, 'test_list[0]');
  return entryPoint;
}
