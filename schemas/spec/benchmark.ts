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
  'pareval',
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

/** How programs with a driver of their own are built and run. */
export const driverSettings = z.strictObject({
  parallelism: z
    .array(z.enum(['serial', 'omp']))
    .min(1)
    .default(['serial', 'omp'])
    .describe('Which tasks: serial, or for OpenMP (omp).'),
  threads: z
    .array(z.int().min(1).max(48))
    .min(1)
    .default([1, 2, 4])
    .describe('Thread counts that an OpenMP program runs with; it passes when it passes with all. A slot holds 64 processes.'),
  repeats: z
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe('Runs of each program with each thread count: where they disagree, the outcome is flaky. Serial programs too.'),
  flags: z.array(z.string().min(1)).default([]).describe('More options for g++, as [-include, array].'),
  buildLimitS: z.int().min(1).max(600).default(30).describe('Processor time for building, seconds.'),
  runLimitS: z.int().min(1).max(3600).default(120).describe('Time of one run, seconds.'),
  alone: z
    .boolean()
    .default(true)
    .describe('Run one program at a time, so that times and speed-ups mean something. false: as many as there are slots.'),
});
export type DriverSettings = z.infer<typeof driverSettings>;

/** The defaults are EVALOOP's limits, and that no model answers for what the sandbox lacks. */
export const judgingRule = z.strictObject({
  caseLimitMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(1000)
    .describe('Least time limit of one case, milliseconds of processor time. EvalPlus 0.3.1 allows 4000, EVALOOP’s authors 1000.'),
  referenceFactor: z
    .number()
    .min(1)
    .max(100)
    .default(2)
    .describe('A case’s limit is this many times what the reference takes for it, where that is more.'),
  missingPackage: z
    .enum(['excluded', 'failed'])
    .default('excluded')
    .describe(
      'What becomes of a program that imports a package that the sandbox lacks: its task is left out and counted, or the program failed, as in most published evaluations.',
    ),
});

export const benchmark = z.strictObject({
  format,
  path: z
    .string()
    .min(1)
    .describe(
      'The file with the tasks, plain or gzip, relative to the spec. For pareval: the folder of a checkout, with prompts/ and drivers/.',
    ),
  driver: driverSettings.optional().describe('For pareval: how programs are built and run. The defaults are ParEval’s where it has one.'),
  suites: z
    .array(z.union([z.string(), joinedSuite]))
    .min(1)
    .optional()
    .describe('Suites to run: names of the file’s own, or tests joined from another file. Default: all of the file’s own.'),
  judging: judgingRule.optional().describe('How programs are judged: time limits, and packages that the sandbox lacks. Not for pareval.'),
  tasks: taskSelection.optional().describe('Which tasks; all when left out.'),
});
