import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { runAndJudge } from '../../../activities/judging/judge-lane.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import { hasOmpPragma } from '../../../domain/extraction/cpp-text.ts';
import type { Suite, Task } from '../../../schemas/task.ts';
import { engineNote, testEngine, withoutEngine } from './engine.ts';

const path = join(import.meta.dirname, '../../../data/kernels');
const driver = {
  parallelism: ['serial' as const, 'omp' as const],
  threads: [1, 2],
  repeats: 2,
  flags: [],
  buildLimitS: 60,
  runLimitS: 20,
  alone: false,
};
const { tasks } = await loadBenchmark({ name: 'kernels', format: 'pareval', path, seed: 0, driver });
const task = (id: string): Task => tasks.find(({ taskId }) => taskId.startsWith(id)) as Task;

/** The prompt with another body. */
const withBody = ({ prompt }: Task, body: string): string => `${prompt}\n${body}\n}\n`;

/** Loses updates: while one thread rests between reading and writing, the other writes. */
const racy = `    long long sum = 0;
    #pragma omp parallel for schedule(static, 1)
    for (size_t i = 0; i < values.size(); i += 1) {
        volatile long long *shared = &sum;
        long long before = *shared;
        if (i % 16 < 2) { sched_yield(); }
        *shared = before + (long long) values[i] * values[i];
    }
    return sum;`;

/** Right once, wrong the next time, by a clock: what a race looks like when it is seen. */
const unsteady = `    long long sum = 0;
    for (size_t i = 0; i < values.size(); i += 1) { sum += (long long) values[i] * values[i]; }
    return sum + (omp_get_max_threads() > 1 && getpid() % 2 == 0);`;

describe.skipIf(withoutEngine)(`programs with a driver${engineNote}`, () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await openOn(testEngine(), { processes: 2 });
  }, 600_000);
  afterAll(async () => {
    await box.close();
  });

  async function judged(of: Task, source: string, changed: Partial<NonNullable<Suite['driver']>> = {}) {
    const own = of.suites[0] as Suite;
    const suite: Suite = { ...own, driver: { ...(own.driver as NonNullable<Suite['driver']>), ...changed } };
    const limits = { caseTimeoutMs: 1, memoryBytes: 1, outputBytes: 1 };
    const { verdict, lane, driven } = await runAndJudge({ box, task: of, suite, source, limits }, []);
    return { ...verdict, lane, driven: driven ?? [] };
  }

  it('pass with the baseline, at every thread count, with times', async () => {
    const serial = await judged(task('00_'), task('00_').reference, { alone: true });
    expect(serial).toMatchObject({ outcome: 'pass', lane: 'assert' });
    expect(serial.driven.map(({ threads, repeat }) => [threads, repeat])).toEqual([
      [1, 1],
      [1, 2],
    ]);
    const omp = tasks.find(({ taskId }) => taskId === '09_geometry_points_in_ring/omp') as Task;
    const { driven, outcome } = await judged(omp, omp.reference);
    expect(outcome).toBe('pass');
    expect(driven.map(({ threads }) => threads)).toEqual([1, 1, 2, 2]);
    const digits = tasks.find(({ taskId }) => taskId === '05_histogram_last_digits/omp') as Task;
    const solutions = JSON.parse(readFileSync(join(path, 'omp-solutions.json'), 'utf8')) as Record<string, string>;
    const parallel = withBody(digits, solutions['05_histogram_last_digits'] ?? '');
    expect(hasOmpPragma(parallel)).toBe(true);
    expect((await judged(digits, parallel)).outcome).toBe('pass');
    for (const { seconds, bestSeconds } of driven)
      expect([seconds, bestSeconds].every((time) => time !== null && time >= 0)).toBe(true);
  });

  const failures = [
    ['    return 1;', 'wrong_output', /at 1 thread, run 1: Validation: FAIL/],
    ['    return values.all();', 'compile_error', /has no member named/],
    ['    return *(int *) 8;', 'exception', /SIGSEGV/],
    [
      '    printf("Validation: PASS\\nTime: 0.1\\nBestSequential: 9.9\\n"); fflush(stdout); exit(0);',
      'early_exit',
      /before its driver did/,
    ],
    ['    printf("Validation: PASS\\n"); return 1;', 'killed', /instead of the driver/],
  ] as const;

  it('fail each in its own way', async () => {
    const verdicts = await Promise.all(failures.map(([body]) => judged(task('00_'), withBody(task('00_'), body))));
    for (const [index, [, outcome, detail]] of failures.entries()) {
      expect(verdicts[index]?.outcome).toBe(outcome);
      expect(verdicts[index]?.detail).toMatch(detail);
    }
  });

  it('a hang ends at the limit of a run, busy or asleep', async () => {
    const busy = withBody(task('00_'), '    volatile int on = 1; while (on) {} return 0;');
    const asleep =
      '#include <chrono>\n#include <thread>\n' +
      `${withBody(task('00_'), '    std::this_thread::sleep_for(std::chrono::hours(1)); return 0;')}`;
    const verdicts = await Promise.all(
      [busy, asleep].map((source) => judged(task('00_'), source, { runLimitMs: 1500 })),
    );
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['cpu_timeout', 'wall_timeout']);
  });

  it('a program that says much is judged by the driver’s own lines', async () => {
    const chatter = '    for (int i = 0; i < 3000; i += 1) printf("looking at value %d of many\\n", i);\n';
    const body = (task('00_').reference.split('{\n').slice(1).join('{\n') || '').replace(/\}\s*$/, '');
    const verdict = await judged(task('00_'), withBody(task('00_'), chatter + body));
    expect(verdict).toMatchObject({ outcome: 'pass', detail: null });
  });

  it('a race is flaky where repeats disagree, and never a pass', async () => {
    const omp = tasks.find(({ taskId }) => taskId === '00_reduce_sum_of_squares/omp') as Task;
    const inputs = [1, 2].flatMap((threads) => Array.from({ length: 8 }, (_, index) => [threads, index + 1]));
    const own = { ...omp, suites: [{ ...(omp.suites[0] as Suite), inputs, expected: inputs.map(() => true) }] };
    const clocked = await judged(own, `#include <unistd.h>\n${withBody(omp, unsteady)}`);
    // Eight processes in a row with numbers of one parity do not occur: they are started one after another.
    expect(clocked.outcome).toBe('flaky');
    expect(clocked.detail).toMatch(/^with 2 threads \d of 8 runs passed; wrong_output/);
    expect(['flaky', 'wrong_output']).toContain(
      (await judged(own, `#include <sched.h>\n${withBody(omp, racy)}`)).outcome,
    );
  });
});
