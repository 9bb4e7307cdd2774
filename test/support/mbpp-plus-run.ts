/** A complete EVALOOP run of two simulated models on the real MBPP+ file. */
import { expect } from 'vitest';
import { type BenchmarkFile, benchmarkFile } from './benchmark-files.ts';
import type { Deployment } from './deployment.ts';

export const mbppPlus: BenchmarkFile = benchmarkFile('mbpp-plus', 'MbppPlus.jsonl.gz');

const spec = (tasks: number): string => `
name: mbpp
models:
  - { id: strong, provider: simulated, profile: strong }
  - { id: drifting, provider: simulated, profile: drifting }
benchmarks: { mbpp: { format: mbpp-plus, path: "${mbppPlus.path}", tasks: { limit: ${tasks} } } }
studies: [{ name: loops, kind: evaloop, benchmark: mbpp, settings: { maxLoops: 2 } }]
`;

/** Expects a row for every cell, references that pass, and a folder without damage. */
export async function expectWholeRun(deployment: Deployment, tasks: number): Promise<void> {
  const end = await deployment.evenkeel('run', deployment.write('mbpp.yaml', spec(tasks)));
  expect(end.status, end.output).toBe(0);
  const loops = await deployment.rows('mbpp', 'select model, count(*) as cells from loops group by all order by all');
  expect(loops).toEqual(['drifting', 'strong'].map((model) => ({ model, cells: tasks })));
  const references = await deployment.rows(
    'mbpp',
    "select suite, count(*) as tasks, count_if(reference_outcome = 'pass') as passed from " +
      'suites group by all order by all',
  );
  expect(references.map(({ suite, tasks: all }) => [suite, all])).toEqual([
    ['base', tasks],
    ['plus', tasks],
  ]);
  // The benchmark's own references pass, except the few that need packages that the sandbox lacks.
  for (const { passed } of references) expect(Number(passed)).toBeGreaterThanOrEqual(0.97 * tasks);
  const verified = await deployment.evenkeel('verify', 'mbpp');
  expect(verified.status, verified.output).toBe(0);
}
