/** The contract of a benchmark format: one record in, one task out. */
import { z } from 'zod';
import type { Suite, Task } from '../../schemas/task.ts';
import { boundWords } from '../spec/bound-words.ts';
import { InputError } from '../errors.ts';
import { canonicalJson, sha256 } from '../ids.ts';
import { pythonKeywords } from '../python/keywords.ts';
import { ExactNumber } from '../values/exact-json.ts';

/** Position of a record; `line` counts from 1, null in a file that is one JSON array. */
export interface RecordPlace {
  readonly file: string;
  readonly line: number | null;
  /** Index in a JSON array, null in a file of lines. */
  readonly index: number | null;
}

export interface BenchmarkFormat {
  readonly name: string;
  /** Suites that a task of this format may have, in the order they are run; null if the file names them. */
  readonly suites: readonly string[] | null;
  /** `record` comes from `parseExactJson`. Throws `InputError` with file, line and field. */
  parseRecord(record: unknown, at: RecordPlace): Task;
  /** Reads a record of a file that only contains tests, to be joined to another benchmark's tasks. */
  parseSuite?(record: unknown, at: RecordPlace): JoinableSuite;
}

export interface JoinableSuite {
  readonly taskId: string;
  readonly suite: Suite;
}

/** An absolute tolerance in a file: a number of at least 0. */
export const toleranceSchema = z
  .union([z.int(), z.instanceof(ExactNumber).transform((number) => Number(number.source))], {
    error: 'expected a number of at least 0',
  })
  .pipe(z.number({ error: ({ code }) => (code === 'invalid_type' ? 'expected a finite number' : undefined) }).min(0));

/** The name of a function in a file, in any language. */
export const functionNameSchema = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'expected a function name of ASCII letters, digits and _, not beginning with a digit');

const keywordRule = (name: string): string =>
  `${JSON.stringify(name)} is a Python keyword, so no function can have this name: write the name of the function ` +
  'that the tests call';

/** The name of a Python function in a file. */
export const pythonFunctionSchema = functionNameSchema.refine((name) => !pythonKeywords.has(name), {
  error: ({ input }) => keywordRule(String(input)),
});

/** The error for one field of one record. */
export function recordError(rule: string, at: RecordPlace, field: string): InputError {
  const path = at.index === null ? field : `[${at.index}]${field === '' || field.startsWith('[') ? '' : '.'}${field}`;
  return new InputError(rule, { file: at.file, ...(at.line === null ? {} : { line: at.line }), field: path });
}

/** The record as parsed by `schema`. Throws the first broken rule, with its field. */
export function checkedRecord<T>(schema: z.ZodType<T>, record: unknown, at: RecordPlace): T {
  const checked = schema.safeParse(record, { reportInput: true });
  if (checked.success) return checked.data;
  // A failed check has at least one issue.
  const [issue] = checked.error.issues as [z.core.$ZodIssue];
  throw recordError(ruleOf(issue), at, z.core.toDotPath(issue.path));
}

/** The rule in terms of the file: its author does not know the class `ExactNumber`, which keeps numbers as written. */
function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return `is missing (${issue.expected})`;
  if (issue.code === 'too_small' && issue.input === '') return 'is empty';
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => message).join(', ');
  if (issue.code === 'unrecognized_keys') return `unknown key ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  if (!(issue.input instanceof ExactNumber) || issue.code !== 'invalid_type')
    return `${boundWords(issue.message).replace(/^Invalid input: /, '')}${gotOf(issue)}`;
  const expected = issue.expected === 'number' ? 'an integer below 2^53' : issue.expected;
  return `expected ${expected}, got ${issue.input.source}`;
}

/** What is out of bounds: a number, or the length of a text. Empty if the message is not about bounds. */
function gotOf({ message, input }: z.core.$ZodIssue): string {
  if (!/^Too (?:small|big): /.test(message)) return '';
  if (typeof input === 'number') return `, got ${input}`;
  return typeof input === 'string' ? `, got ${input.length}` : '';
}

/** The task with the hash of everything else in it. */
export function withRecordHash(task: Omit<Task, 'recordSha256' | 'plainSha256'>): Task {
  return { ...task, recordSha256: sha256(canonicalJson(task)) };
}

/** Hash of the problem: everything in the record but its suites. */
export function problemSha256(task: Task): string {
  const { recordSha256: _record, plainSha256: _plain, suites: _suites, ...problem } = task;
  return sha256(canonicalJson(problem));
}

/**
 * Hash of what a suite tests, without its name and a judging rule. Where it states no expected values and has no
 * reference of its own, they are those of the task's reference, which is part of the problem.
 */
export function testsSha256(suite: Suite): string {
  const { name: _name, judging: _judging, ...tests } = suite;
  return sha256(canonicalJson(tests));
}

/** The task with suites under another judging rule: its hash covers the rule; its plain hash stays. */
export function withRuledSuites(task: Task, suites: Task['suites']): Task {
  const { recordSha256, plainSha256 = recordSha256, ...record } = task;
  return { ...withRecordHash({ ...record, suites }), plainSha256 };
}
