import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import type { Task } from '../../../schemas/task.ts';

const path = join(import.meta.dirname, '..', '..', '..', 'data', 'starter', 'starter.jsonl');
let tasks: Task[] = [];
beforeAll(async () => {
  ({ tasks } = await loadBenchmark({ name: 'starter', format: 'evenkeel', path, seed: 1 }));
});

describe('the starter benchmark', () => {
  it('has at least 36 tasks, each with its own entry point', () => {
    expect(tasks.length).toBeGreaterThanOrEqual(36);
    expect(new Set(tasks.map(({ entryPoint }) => entryPoint)).size).toBe(tasks.length);
  });

  it('has 3 to 5 base cases and 15 to 40 plus cases per task, all with expected outputs', () => {
    const outside = tasks.filter(({ suites }) => {
      const [base, plus] = suites.map(({ inputs, expected }) => (expected === null ? 0 : inputs.length));
      return !(suites.length === 2 && (base ?? 0) >= 3 && (base ?? 9) <= 5 && (plus ?? 0) >= 15 && (plus ?? 99) <= 40);
    });
    expect(outside.map(({ taskId }) => taskId)).toEqual([]);
  });

  it('has prompts that are docstrings whose second-to-last line is an assert calling the entry point', () => {
    const outside = tasks.filter(({ prompt, entryPoint }) => {
      const lines = prompt.split('\n');
      return (
        lines[0] !== '"""' ||
        !lines.at(-3)?.startsWith(`assert ${entryPoint}(`) ||
        lines.at(-2) !== '"""' ||
        lines.at(-1) !== ''
      );
    });
    expect(outside.map(({ taskId }) => taskId)).toEqual([]);
  });

  it('has references that define the entry point and never mention the expected outputs of a test', () => {
    expect(tasks.filter(({ reference, entryPoint }) => !reference.includes(`def ${entryPoint}(`))).toEqual([]);
    expect(tasks.filter(({ reference }) => reference.includes('assert'))).toEqual([]);
  });
});
