/** A benchmark: its file, its suites and which of its tasks. */
import { z } from 'zod';

const taskSelection = z.strictObject({
  limit: z.int().min(1).optional().describe('The first N tasks in an order that the seed fixes: a larger N takes a superset.'),
  sample: z.int().min(1).optional().describe('The same as limit.'),
  ids: z
    .array(z.union([z.string(), z.int()]).transform(String))
    .min(1)
    .optional()
    .describe('These tasks only, by our ids (MBPP/2) or the source’s (2).'),
});
export const benchmarkFormatNames = [
  'humaneval',
  'humaneval-et',
  'humaneval-plus',
  'mbpp-sanitized',
  'mbpp-et',
  'mbpp-plus',
  'mxeval',
  'evenkeel',
] as const;
export type BenchmarkFormatName = (typeof benchmarkFormatNames)[number];
const format = z
  .enum(benchmarkFormatNames)
  .describe('The file’s format, see docs/benchmarks.md; evenkeel is the one for tasks of your own.');

/** Tests for the same tasks from another file, joined by the task's id. */
const joinedSuite = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*$/, 'a suite name: lower-case letters, digits, hyphen, underscore')
    .describe('The suite’s name in every table.'),
  format,
  path: z.string().min(1).describe('The file with the tests, plain or gzip, relative to the spec.'),
});
export type JoinedSuite = z.infer<typeof joinedSuite>;

export const benchmark = z.strictObject({
  format,
  path: z.string().min(1).describe('The file with the tasks, plain or gzip, relative to the spec.'),
  suites: z
    .array(z.union([z.string(), joinedSuite]))
    .min(1)
    .optional()
    .describe('Suites to run: names of the file’s own, or tests joined from another file. Default: all of the file’s own.'),
  tasks: taskSelection.optional().describe('Which tasks; all when left out.'),
});
