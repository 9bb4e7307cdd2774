/**
 * Tasks of HumanEval and sanitized MBPP with the tests of the benchmark's own files, which run as code next to the
 * program (lane `assert`).
 */
import { openRecords } from '../../activities/benchmarks/records.ts';
import { checkFunction } from '../../domain/benchmarks/assert-suite.ts';
import type { Suite, Task, TestScript } from '../../schemas/task.ts';
import { loadTasks } from './subjects.ts';

/** The tasks of a file, each with one suite whose asserts are test code. */
export async function tasksTestedInside(format: 'humaneval' | 'mbpp-sanitized', path: string): Promise<Task[]> {
  const tasks = await loadTasks(format, path);
  const scripts: TestScript[] = [];
  for await (const { record } of openRecords(path).records) scripts.push(scriptOf(record as Record<string, unknown>));
  return tasks.map((task, index) => {
    const script = scripts[index];
    if (script === undefined) throw new Error(`${task.taskId} has no test in ${path}`);
    return { ...task, suites: [suiteOf(format === 'humaneval' ? script : { ...script, alias: task.entryPoint })] };
  });
}

function scriptOf(record: Record<string, unknown>): TestScript {
  if (typeof record['test'] === 'string') {
    const check = checkFunction(record['test']);
    if (check === null) throw new Error(`${String(record['task_id'])} has no function check`);
    return { prelude: check.beside.join('\n'), alias: 'candidate', cases: [check.body.join('\n')] };
  }
  const lines = (field: string): string[] => (record[field] as unknown[]).map(String);
  return { prelude: lines('test_imports').join('\n'), alias: '', cases: lines('test_list') };
}

const suiteOf = (script: TestScript): Suite => ({
  name: 'inside',
  inputs: script.cases.map(() => []),
  expected: script.cases.map(() => true),
  oracle: { rule: 'equal' },
  script,
});
