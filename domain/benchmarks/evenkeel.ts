/**
 * Evenkeel's own format: one JSON task per line, for the starter benchmark and users' own tasks. See
 * docs/benchmarks.md.
 */
import { z } from 'zod';
import type { Oracle, Suite } from '../../schemas/task.ts';
import { counted } from '../counted.ts';
import {
  type BenchmarkFormat,
  checkedRecord,
  pythonFunctionSchema,
  type RecordPlace,
  recordError,
  toleranceSchema,
  withRecordHash,
} from './format.ts';
import { checkedValue } from './record-value.ts';

const suiteSchema = z.strictObject({
  inputs: z.array(z.array(z.unknown(), 'an argument list'), 'a list of argument lists').min(1, 'at least one case'),
  expected: z.array(z.unknown(), 'one expected value per case').optional(),
  atol: toleranceSchema.optional(),
});

/**
 * A control character would break the tables, terminals and XML that name the task; half of a surrogate pair has no
 * UTF-8, so tables would give all tasks that differ in one the same name.
 */
const taskIdSchema = z
  .string()
  .min(1)
  .max(200)
  .refine((id) => !/[\p{Cc}\p{Cs}]/u.test(id), {
    error: ({ input }) =>
      `expected text without control characters and halves of surrogate pairs, got ${JSON.stringify(input)}`,
  });

const recordSchema = z.strictObject({
  task_id: taskIdSchema,
  prompt: z.string().min(1),
  entry_point: pythonFunctionSchema,
  reference: z.string().min(1),
  suites: z
    .record(
      z
        .string()
        .regex(
          /^[a-z][a-z0-9_-]*$/,
          'expected a suite name: a lower-case letter, then lower-case letters, digits, hyphens and underscores',
        ),
      suiteSchema,
    )
    .refine((suites) => Object.keys(suites).length > 0, 'at least one suite'),
});

export const evenkeel: BenchmarkFormat = {
  name: 'evenkeel',
  suites: null,
  parseRecord(record, at) {
    refuseSuiteKeys(record, at);
    const checked = checkedRecord(recordSchema, record, at);
    return withRecordHash({
      taskId: checked.task_id,
      sourceTaskId: checked.task_id,
      language: 'python',
      prompt: checked.prompt,
      entryPoint: checked.entry_point,
      reference: checked.reference,
      suites: Object.entries(checked.suites).map(([name, suite]) => suiteOf(name, suite, at)),
    });
  },
};

/** Whoever writes a suite's key in the task itself is told where it belongs. */
function refuseSuiteKeys(record: unknown, at: RecordPlace): void {
  if (typeof record !== 'object' || record === null) return;
  for (const key of Object.keys(suiteSchema.shape))
    if (Object.hasOwn(record, key)) throw recordError(`is a key of a suite: write it as suites.NAME.${key}`, at, key);
}

function suiteOf(name: string, suite: z.infer<typeof suiteSchema>, at: RecordPlace): Suite {
  const field = `suites.${name}`;
  if (suite.expected !== undefined && suite.expected.length !== suite.inputs.length) {
    throw recordError(
      `expected one value per case, got ${counted(suite.expected.length, 'value')} for ` +
        `${counted(suite.inputs.length, 'case')}`,
      at,
      `${field}.expected`,
    );
  }
  return {
    name,
    inputs: suite.inputs.map((args, index) =>
      args.map((arg, position) => checkedValue(arg, at, `${field}.inputs[${index}][${position}]`)),
    ),
    expected: suite.expected?.map((value, index) => checkedValue(value, at, `${field}.expected[${index}]`)) ?? null,
    oracle: oracleOf(suite.atol),
  };
}

const oracleOf = (atol: number | undefined): Oracle =>
  atol === undefined ? { rule: 'equal' } : { rule: 'evalplus', atol, special: null };
