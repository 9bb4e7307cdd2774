/**
 * ParEval's C++ tasks: a prompt that ends in a signature, and a driver that is built with the answer, runs it and says
 * whether it is right. One record is a row of `prompts/generation-prompts.json` with the files that belong to it
 * (activities/benchmarks/pareval-checkout.ts). They come from the user's checkout; evenkeel contains none of them.
 */
import { z } from 'zod';
import type { DriverTests, Suite } from '../../schemas/task.ts';
import { bodyOfFunction, findFunction, signatureName } from '../extraction/cpp-text.ts';
import { type BenchmarkFormat, checkedRecord, type RecordPlace, recordError, withRecordHash } from './format.ts';

export const parallelisms = ['serial', 'omp'] as const;

const driverSchema = z.strictObject({
  /** File contents by path, including the task's `baseline.hpp` if it has one. */
  files: z.record(z.string(), z.string()),
  sources: z.array(z.string()).min(1),
  problemSize: z.string().regex(/^[\d()<+*\s-]+$/, 'expected an arithmetic expression as problem size, like (1<<10)'),
  flags: z.array(z.string()),
  threads: z.array(z.int().min(1)).min(1),
  repeats: z.int().min(1),
  buildLimitMs: z.int().min(1),
  runLimitMs: z.int().min(1),
  alone: z.boolean(),
});

const recordSchema = z.object({
  name: z.string().regex(/^[\w.-]+$/, 'expected the name of a ParEval task, like 25_reduce_xor'),
  parallelism_model: z.enum(parallelisms),
  prompt: z.string().min(1),
  driver: driverSchema,
});

export const pareval: BenchmarkFormat = {
  name: 'pareval',
  suites: ['driver'],
  parseRecord(record, at) {
    const { name, parallelism_model: parallelism, prompt, driver } = checkedRecord(recordSchema, record, at);
    const entryPoint = entryPointOf(prompt, at);
    const taskId = `${name}/${parallelism}`;
    return withRecordHash({
      taskId,
      sourceTaskId: taskId,
      language: 'cpp',
      prompt,
      entryPoint,
      reference: baselineAnswer(prompt, entryPoint, driver.files),
      suites: [driverSuite(parallelism, driver)],
    });
  },
};

function entryPointOf(prompt: string, at: RecordPlace): string {
  const name = signatureName(prompt);
  if (name === null) throw recordError('expected a prompt whose last line is a signature ending in {', at, 'prompt');
  return name;
}

function driverSuite(parallelism: DriverTests['parallelism'], driver: z.infer<typeof driverSchema>): Suite {
  const { files, sources, problemSize, flags, threads, repeats, buildLimitMs, runLimitMs, alone } = driver;
  const counts = parallelism === 'serial' ? [1] : [...new Set(threads)].sort((a, b) => a - b);
  const inputs = counts.flatMap((count) => Array.from({ length: repeats }, (_, index) => [count, index + 1]));
  const define = parallelism === 'serial' ? 'USE_SERIAL' : 'USE_OMP';
  return {
    name: 'driver',
    inputs,
    expected: inputs.map(() => true),
    oracle: { rule: 'equal' },
    driver: {
      parallelism,
      files,
      sources,
      flags: [
        ...(parallelism === 'omp' ? ['-fopenmp'] : []),
        `-D${define}`,
        `-DDRIVER_PROBLEM_SIZE=${problemSize}`,
        ...flags,
      ],
      ...{ buildLimitMs, runLimitMs, alone },
    },
  };
}

/**
 * The prompt followed by the baseline's body, as a model would answer; empty if there is no baseline. The baseline is
 * found by its name; else it is the function with the same arguments that the driver validates with; else the function
 * marked `NO_INLINE`.
 */
function baselineAnswer(prompt: string, entryPoint: string, files: Readonly<Record<string, string>>): string {
  const baseline = files['baseline.hpp'] ?? '';
  const own = `correct${entryPoint.charAt(0).toUpperCase()}${entryPoint.slice(1)}`;
  const wanted = parametersOf(prompt, entryPoint);
  const called = (bodyOfFunction(files['cpu.cc'] ?? '', 'validate') ?? '').match(/\b[A-Za-z_]\w*(?=\s*\()/g) ?? [];
  const compared = called.filter((name) => name !== entryPoint && parametersOf(baseline, name) === wanted);
  const marked = /\bNO_INLINE\s+(\w+)\s*\(/.exec(baseline)?.[1];
  const names = [own, ...compared, ...(marked === undefined ? [] : [marked])];
  const body = names.map((name) => bodyOfFunction(baseline, name)).find((found) => found !== null);
  return body === undefined ? '' : `${prompt}\n${body?.replace(/^[ \t]*\n/, '').trimEnd()}\n}\n`;
}

/** The parameters as written, without white space; null if the name is not defined. */
function parametersOf(text: string, name: string): string | null {
  const found = findFunction(text, name);
  const list = found === null ? null : text.slice(found.start, found.open);
  return list === null ? null : list.slice(list.indexOf('(')).replaceAll(/\s+/g, '');
}
