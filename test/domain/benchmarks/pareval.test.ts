import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { withNoInline } from '../../../activities/judging/driver-program.ts';
import { pareval } from '../../../domain/benchmarks/pareval.ts';
import { drivenRuns, drivenVerdict } from '../../../domain/driver-runs.ts';
import {
  bodyOfFunction,
  commentBeforeSignature,
  findFunction,
  hasOmpPragma,
  signatureName,
} from '../../../domain/extraction/cpp-text.ts';
import type { ProgramRun } from '../../../schemas/program.ts';

const kernels = join(import.meta.dirname, '../../../data/kernels');
const load = (path: string, driver?: object) =>
  loadBenchmark({ name: 'k', format: 'pareval', path, seed: 0, driver: driver as never });

describe('tasks with a driver', () => {
  it('has ten kernels, serial and for OpenMP, each with a reference and its cases', async () => {
    const { tasks } = await load(kernels);
    expect(tasks).toHaveLength(20);
    expect(tasks.filter(({ taskId }) => taskId.endsWith('/omp'))).toHaveLength(10);
    for (const { reference, prompt, language } of tasks) {
      expect(language).toBe('cpp');
      expect(reference.startsWith(prompt)).toBe(true);
    }
    const [serial, omp] = tasks;
    expect(serial).toMatchObject({ taskId: '00_reduce_sum_of_squares/serial', entryPoint: 'sumOfSquares' });
    expect(serial?.suites[0]?.inputs).toEqual([
      [1, 1],
      [1, 2],
    ]);
    expect(omp?.suites[0]?.inputs).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
      [4, 1],
      [4, 2],
    ]);
    expect(serial?.suites[0]?.driver?.flags).toEqual(['-DUSE_SERIAL', '-DDRIVER_PROBLEM_SIZE=(1<<16)']);
    expect(omp?.suites[0]?.driver?.flags).toEqual(['-fopenmp', '-DUSE_OMP', '-DDRIVER_PROBLEM_SIZE=(1<<16)']);
    expect(Object.keys(omp?.suites[0]?.driver?.files ?? {}).sort()).toEqual([
      'baseline.hpp',
      'cpu.cc',
      'omp-driver.cc',
      'utilities.hpp',
    ]);
  });

  it('supports one kind of parallelism, and other thread counts', async () => {
    const { tasks } = await load(kernels, {
      parallelism: ['omp'],
      threads: [8, 1],
      repeats: 1,
      flags: [],
      buildLimitS: 30,
      runLimitS: 120,
      alone: true,
    });
    expect(tasks).toHaveLength(10);
    expect(tasks[0]?.suites[0]?.inputs).toEqual([
      [1, 1],
      [8, 1],
    ]);
  });

  it('uses the function that the driver compares with as reference, if no baseline has the name', () => {
    const prompt = '/* Conjugate. */\nvoid conjugate(std::vector<int> &x) {';
    const baseline =
      'void NO_INLINE correctFft(std::vector<int> &x) { x[0] = 1; }\nvoid plain(std::vector<int>& x) { x[0] = 2; }\n' +
      'int size(int n) { return n; }';
    const cpu = 'bool validate(Context *ctx) { int n = size(3); plain(correct); conjugate(test); return n; }';
    const driver = {
      files: { 'baseline.hpp': baseline, 'cpu.cc': cpu },
      sources: ['cpu.cc'],
      problemSize: '(1<<4)',
      flags: [],
      threads: [1],
    };
    const record = {
      name: 'c',
      parallelism_model: 'serial',
      prompt,
      driver: { ...driver, repeats: 1, buildLimitMs: 1, runLimitMs: 1, alone: true },
    };
    const place = { file: 'f', line: null, index: 0 };
    expect(pareval.parseRecord(record, place).reference).toBe(`${prompt}\n x[0] = 2;\n}\n`);
    const silent = { ...record, driver: { ...record.driver, files: { ...driver.files, 'cpu.cc': '' } } };
    expect(pareval.parseRecord(silent, place).reference).toBe(`${prompt}\n x[0] = 1;\n}\n`);
    expect(pareval.parseRecord({ ...record, driver: { ...record.driver, files: {} } }, place).reference).toBe('');
  });

  it('names what a folder lacks', async () => {
    await expect(load(tmpdir())).rejects.toThrow(
      /has no prompts\/generation-prompts\.json; clone parallelcodefoundry\/ParEval/,
    );
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-kernels-'));
    try {
      cpSync(kernels, folder, { recursive: true });
      rmSync(join(folder, 'drivers/cpp/benchmarks/reduce/00_reduce_sum_of_squares/cpu.cc'));
      await expect(load(folder)).rejects.toThrow(
        /has no drivers\/cpp\/benchmarks\/reduce\/00_reduce_sum_of_squares\/cpu\.cc/,
      );
      const sizes = JSON.parse(readFileSync(join(kernels, 'drivers/problem-sizes.json'), 'utf8')) as Record<
        string,
        Record<string, string>
      >;
      writeFileSync(
        join(folder, 'drivers/problem-sizes.json'),
        JSON.stringify({ ...sizes, '00_reduce_sum_of_squares': { serial: '1;system("x")' } }),
      );
      cpSync(join(kernels, 'drivers/cpp'), join(folder, 'drivers/cpp'), { recursive: true });
      await expect(load(folder)).rejects.toThrow(/problem size/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const text =
  'struct P { double x; };\n\nint twice(int a) { return 2 * a; }\n\nstd::vector<int> f(std::vector<int> const& v, ' +
  'int n) {\n  if (twice(n) > 1) { return v; } // }\n  const char *s = "}";\n  return {};\n}\n';

describe('C++ text', () => {
  it('finds signatures, bodies and comments', () => {
    expect(signatureName('struct A;\nvoid go(int a, int b) {')).toBe('go');
    expect(signatureName('void go(int a);')).toBeNull();
    expect(bodyOfFunction(text, 'twice')?.trim()).toBe('return 2 * a;');
    expect(bodyOfFunction(text, 'f')).toMatch(/return \{\};\n$/);
    expect(findFunction('int g(int a);\nint h() { return g(1); }', 'g')).toBeNull();
    const prompt = '/* helper */\nint a;\n\n/* What to do.\n   More. */\nint go(int x) {';
    const range = commentBeforeSignature(prompt);
    expect(prompt.slice(range?.start, range?.end)).toBe(' What to do.\n   More. ');
    expect(commentBeforeSignature('/* far */\nint a;\nint go(int x) {')).toBeNull();
    expect(withNoInline('double f(int a) {\n return g(f(1)); }', 'f')).toBe(
      'double NO_INLINE f(int a) {\n return g(f(1)); }',
    );
  });

  it('knows a pragma from a comment about one', () => {
    expect(hasOmpPragma('  #pragma omp parallel for\nfor (;;) {}')).toBe(true);
    expect(hasOmpPragma('// #pragma omp parallel\n/* \n#pragma omp for\n*/')).toBe(false);
    expect(hasOmpPragma('#include <omp.h>\n#pragma once')).toBe(false);
  });
});

const answered = (...answers: readonly unknown[]): ProgramRun => ({
  ...{ end: 'completed', failedAtLoad: false, caseMs: [], wallMs: 1, cpuMs: 1, memoryBytes: null, detail: null },
  results: answers.map((answer) => ({ value: JSON.stringify(answer) })),
});
const pass = [0, null, true, 'Validation: PASS\nTime: 0.5\nBestSequential: 2.0'];
const fail = [0, null, true, 'Validation: FAIL'];
const cases: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 2],
  [2, 1],
  [2, 2],
];
const verdict = (run: ProgramRun) => drivenVerdict(run, drivenRuns(run, cases)).outcome;

describe('the verdict on runs with a driver', () => {
  it('distinguishes pass, wrong and flaky', () => {
    expect(verdict(answered(pass, pass, pass, pass))).toBe('pass');
    expect(verdict(answered(pass, pass, fail, fail))).toBe('wrong_output');
    expect(verdict(answered(pass, pass, pass, fail))).toBe('flaky');
    expect(verdict(answered(pass, pass, pass, [null, 11, false, '']))).toBe('flaky');
    expect(verdict({ ...answered(pass, pass, pass), end: 'wall_timeout' })).toBe('flaky');
    expect(verdict({ ...answered(pass, pass), end: 'wall_timeout' })).toBe('wall_timeout');
    expect(verdict({ ...answered(), end: 'compile_error' })).toBe('compile_error');
    expect(verdict({ ...answered(), end: 'build_timeout' })).toBe('build_timeout');
    expect(verdict(answered(pass, pass, pass, [3, null, true, 'Validation: PASS']))).toBe('flaky');
  });

  it('keeps only times of passing runs, and none that the program could have printed', () => {
    const [first, second, third] = drivenRuns(
      answered(pass, fail, [0, null, true, 'Validation: PASS\nTime: 0.0\nTime: 0.5\nBestSequential: 2.0']),
      cases,
    );
    expect([first?.seconds, first?.bestSeconds]).toEqual([0.5, 2]);
    expect([second?.seconds, second?.bestSeconds]).toEqual([null, null]);
    expect([third?.outcome, third?.seconds, third?.bestSeconds]).toEqual(['pass', null, 2]);
  });

  it('rejects answers that are not from a slot', () => {
    expect(verdict(answered({ forged: true }))).toBe('killed');
    expect(verdict(answered([0, null, true, 'Validation: PASS\nValidation: PASS']))).toBe('killed');
    expect(verdict(answered([0, null, false, 'Validation: PASS']))).toBe('early_exit');
    expect(verdict(answered([0, null, true, '']))).toBe('wrong_output');
  });
});
