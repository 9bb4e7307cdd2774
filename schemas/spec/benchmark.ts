/** A benchmark: its file, its suites and the selected tasks. */
import { z } from 'zod';
import { isOwnName, ownNameRule } from './inherited.ts';

const taskSelection = z.strictObject({
  limit: z
    .int()
    .min(1)
    .optional()
    .describe('The first N tasks in an order that the seed fixes: a larger N takes a superset.'),
  sample: z.int().min(1).optional().describe('Same as limit.'),
  ids: z
    .array(z.union([z.string(), z.int()]).transform(String))
    .min(1)
    .optional()
    .describe('Only these tasks, by evenkeel’s ids (MBPP/2) or the source’s (2).'),
});
export const benchmarkFormatNames = [
  'humaneval',
  'humaneval-et',
  'humaneval-plus',
  'mbpp-sanitized',
  'mbpp-et',
  'mbpp-plus',
  'mxeval',
  'pareval',
  'evenkeel',
] as const;
export type BenchmarkFormatName = (typeof benchmarkFormatNames)[number];
const format = z
  .enum(benchmarkFormatNames)
  .describe('The file’s format, see docs/benchmarks.md; use evenkeel for your own tasks.');

/** Tests for the same tasks from another file, joined by task id. */
const joinedSuite = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, hyphens and underscores, starting with a letter')
    .refine(isOwnName, ownNameRule)
    .describe('The suite’s name in every table.'),
  format,
  path: z.string().min(1).describe('The file with the tests, plain or gzip, relative to the spec.'),
});
export type JoinedSuite = z.infer<typeof joinedSuite>;

/** How programs of benchmarks with drivers are built and run. */
export const driverSettings = z.strictObject({
  parallelism: z
    .array(z.enum(['serial', 'omp']))
    .min(1)
    .default(['serial', 'omp'])
    .describe('Which tasks: serial ones, OpenMP ones (omp), or both.'),
  threads: z
    .array(z.int().min(1).max(48))
    .min(1)
    .default([1, 2, 4])
    .describe(
      'Thread counts of an OpenMP program; it passes if it passes with all of them. ' +
        'A sandbox slot allows 64 processes.',
    ),
  repeats: z
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe(
      'Runs of each program, also serial ones, with each thread count. If they disagree, the outcome is flaky.',
    ),
  flags: z.array(z.string().min(1)).default([]).describe('More options for g++, such as [-include, array].'),
  buildLimitS: z.int().min(1).max(600).default(30).describe('CPU time limit for building, seconds.'),
  runLimitS: z.int().min(1).max(3600).default(120).describe('Time limit of one run, seconds.'),
  alone: z
    .boolean()
    .default(true)
    .describe(
      'True: run one program at a time, so that times and speed-ups are meaningful. False: one per sandbox slot.',
    ),
});
export type DriverSettings = z.infer<typeof driverSettings>;

/** The defaults are EVALOOP's limits; no model is blamed for packages that the sandbox lacks. */
export const judgingRule = z.strictObject({
  caseLimitMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(1000)
    .describe(
      'Least time limit of one case, milliseconds of CPU time. EvalPlus 0.3.1 allows 4000, EVALOOP’s authors 1000.',
    ),
  referenceFactor: z
    .number()
    .min(1)
    .max(100)
    .default(2)
    .describe('A case’s limit is this many times the reference’s time for it, if that is more than caseLimitMs.'),
  missingPackage: z
    .enum(['excluded', 'failed'])
    .default('excluded')
    .describe(
      'If a program ends because the sandbox lacks a package: excluded leaves its answer out of all rates; failed ' +
        'counts it as failed, as most published evaluations do.',
    ),
});

/** Without defaults: only what differs from another rule. */
export const judgingChange = z.strictObject({
  caseLimitMs: judgingRule.shape.caseLimitMs.unwrap().optional(),
  referenceFactor: judgingRule.shape.referenceFactor.unwrap().optional(),
  missingPackage: judgingRule.shape.missingPackage.unwrap().optional(),
});

export const benchmark = z.strictObject({
  format,
  path: z
    .string()
    .min(1)
    .describe(
      'The file with the tasks, plain or gzip, relative to the spec. For pareval: a checkout’s folder, which ' +
        'contains prompts/ and drivers/.',
    ),
  driver: driverSettings
    .optional()
    .describe('For pareval: how programs are built and run. The defaults are ParEval’s, if it has one.'),
  suites: z
    .array(z.union([z.string(), joinedSuite]))
    .min(1)
    .optional()
    .describe(
      'Suites to run: names of suites in the file, or tests joined from another file. Default: all suites in the file.',
    ),
  judging: judgingRule
    .optional()
    .describe('How programs are judged: time limits, and missing packages. Not for pareval.'),
  tasks: taskSelection.optional().describe('Which tasks; default: all.'),
});
