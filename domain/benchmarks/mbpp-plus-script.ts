/**
 * MBPP+ in its self-contained form (`MbppPlus-OriginFmt.jsonl`): each task's test is a script with inputs, results and
 * a tolerance. These are read as data and compared by evenkeel, so the script, which needs numpy, is never run.
 */
import { z } from 'zod';
import type { Oracle, Suite, Task, Value } from '../../schemas/task.ts';
import { counted } from '../counted.ts';
import { NotConstant, parsePythonLiteral } from '../python/constant.ts';
import { PythonSyntaxError } from '../python/syntax-error.ts';
import { isList, tagged } from '../values/value.ts';
import { assertSuite, testStatements } from './assert-suite.ts';
import { checkedRecord, type RecordPlace, recordError, withRecordHash } from './format.ts';
import { specialTasks } from './mbpp-plus-oracles.ts';

const recordSchema = z.object({
  task_id: z.int().min(1),
  code: z.string().min(1),
  prompt: z.string().min(1),
  test_imports: z.array(z.string()),
  test_list: z.array(z.string()).min(1, 'expected at least one assert'),
  test: z.string().min(1),
});
type ScriptRecord = z.infer<typeof recordSchema>;

export const isScriptForm = (record: unknown): boolean =>
  typeof record === 'object' && record !== null && 'test' in record && 'code' in record && !('plus_input' in record);

/** `base` has MBPP's own asserts, `plus` the script's cases. */
export function scriptFormTask(record: unknown, at: RecordPlace): Task {
  const checked = checkedRecord(recordSchema, record, at);
  const plus = plusCases(checked, at);
  const base = { name: 'base', statements: checked.test_list.flatMap(testStatements), alias: plus.entryPoint };
  return withRecordHash({
    taskId: `MBPP/${checked.task_id}`,
    sourceTaskId: String(checked.task_id),
    language: 'python',
    prompt: `"""\n${checked.prompt}\n${checked.test_list[0]}\n"""\n`,
    entryPoint: plus.entryPoint,
    reference: checked.code,
    suites: [assertSuite({ ...base, prelude: checked.test_imports.join('\n') }), plus.suite],
  });
}

/** The loop at the end of the script, with the called function and the tolerance. */
const loop = /^ +assertion\((\w+)\(\*inp\), (?:exp|ref_func\(\*inp\)), ([\d.e-]+)\)\s*$/m;

function plusCases(
  { task_id, test }: ScriptRecord,
  at: RecordPlace,
): { readonly entryPoint: string; readonly suite: Suite } {
  const [, entryPoint, atol] = loop.exec(test) ?? [];
  if (entryPoint === undefined)
    throw recordError('expected a script that ends in a loop over inputs with assertion(f(*inp), ...)', at, 'test');
  const inputs = assigned(test, 'inputs', at)?.map((args) => itemsOf(args, at));
  if (inputs === undefined) throw recordError('expected a script with a line inputs = [...]', at, 'test');
  const expected = assigned(test, 'results', at);
  if (expected !== undefined && expected.length !== inputs.length)
    throw recordError(
      `expected one result per input, got ${counted(expected.length, 'result')} for ${counted(inputs.length, 'input')}`,
      at,
      'test',
    );
  const special = specialTasks.get(task_id) ?? null;
  const oracle: Oracle = { rule: 'evalplus', atol: Number(atol), special };
  return { entryPoint, suite: { name: 'plus', inputs, ...expectation(test, expected, special), oracle } };
}

/** Three scripts compute their results with their own reference, `ref_func`. */
function expectation(
  test: string,
  expected: readonly Value[] | undefined,
  special: string | null,
): Pick<Suite, 'expected' | 'reference'> {
  if (expected !== undefined) return { expected: special === 'not_none' ? expected.map(presence) : expected };
  const from = test.lastIndexOf('\n\n\n', test.indexOf('def ref_func('));
  const source = test.slice(from, test.indexOf('\ninputs = '));
  return { expected: null, reference: { source: `${source.trim()}\n`, entryPoint: 'ref_func' } };
}

/** These results are True or False for a match or none; the oracle compares a value with None. */
const presence = (value: Value): Value => (value === false ? null : value);

function assigned(test: string, name: string, at: RecordPlace): readonly Value[] | undefined {
  const literal = new RegExp(`^${name} = (.*)$`, 'm').exec(test)?.[1];
  if (literal === undefined) return undefined;
  try {
    return itemsOf(parsePythonLiteral(literal, { inf: { f: 'inf' }, nan: { f: 'nan' } }), at);
  } catch (error) {
    if (error instanceof PythonSyntaxError || error instanceof NotConstant)
      throw recordError(`${name}: ${error.message}`, at, 'test');
    throw error;
  }
}

function itemsOf(value: Value, at: RecordPlace): readonly Value[] {
  if (isList(value)) return value;
  const read = tagged(value);
  if (read.kind !== 'tuple') throw recordError('expected lists of inputs and results', at, 'test');
  return read.items;
}
