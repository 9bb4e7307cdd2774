/**
 * How much detail a model needs, on C++ tasks with a driver: a simulated model whose need is known, then its recording;
 * serial and for OpenMP.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineEnvironment, engineNote, withoutEngine } from '../sandbox/container/engine.ts';
import { openDeployment } from '../support/deployment.ts';

const kernels = join(import.meta.dirname, '../../data/kernels');
const ids = [
  '00_reduce_sum_of_squares/serial',
  '05_histogram_last_digits/serial',
  '06_transform_clamp/omp',
  '09_geometry_points_in_ring/omp',
];
const simulated =
  '{ id: needy, provider: simulated, profile: { seed: 5, competence: 1, detailNeed: { floor: 0, words: 60 } } }';
const spec = (name: string, model: string): string => `
name: ${name}
seed: 3
models: [${model}]
benchmarks:
  kernels: { format: pareval, path: "${kernels}", tasks: { ids: ${JSON.stringify(ids)} },
             driver: { threads: [1, 2], repeats: 2, alone: false } }
studies:
  - { name: detail, kind: specificity, benchmark: kernels,
      settings: { wordLimits: [25, 100], ratios: [0.4], maskRatios: [0.4], draws: 2 } }
`;

test.skipIf(withoutEngine)(`a study of prompt detail on C++ tasks, simulated and replayed${engineNote}`, async () => {
  const deployment = await openDeployment(engineEnvironment());
  try {
    const end = await deployment.evenkeel('run', deployment.write('a.yaml', spec('simulated', simulated)));
    expect(end.status, end.output).toBe(0);
    const passes =
      'select variant, count(*) as n, count_if(passed) as passed from prompt_passes group by all order by all';
    const first = await deployment.rows('simulated', passes);
    // Without a described word nothing is solved, with 60 everything: the maximal prompts have more than 100.
    expect(first.find(({ variant }) => variant === 'minimal')).toEqual({ variant: 'minimal', n: 4, passed: 0 });
    expect(first.find(({ variant }) => variant === 'maximal')).toEqual({ variant: 'maximal', n: 4, passed: 4 });
    expect(first).toHaveLength(9);
    // Two serial tasks run twice, two for OpenMP twice with each of two thread counts;
    // the simulator's programs have no pragma.
    const runs =
      "select distinct task_id, threads, repeat, pragma_missing from parallel_runs where outcome = 'pass' order by all";
    const timed = await deployment.rows('simulated', runs);
    expect(timed.map((row) => [row['threads'], row['repeat'], row['pragma_missing']])).toEqual([
      ...[1, 2].map((repeat) => [1, repeat, null]),
      ...[1, 2].map((repeat) => [1, repeat, null]),
      ...[1, 2].flatMap((threads) => [1, 2].map((repeat) => [threads, repeat, true])),
      ...[1, 2].flatMap((threads) => [1, 2].map((repeat) => [threads, repeat, true])),
    ]);
    const untimed =
      "select count(*) as n from parallel_runs where outcome = 'pass' and (time_s is null or speedup is null)";
    expect(await deployment.rows('simulated', untimed)).toEqual([{ n: 0 }]);
    const verified = await deployment.evenkeel('verify', 'simulated');
    expect(verified.status, verified.output).toBe(0);

    const recording = join(deployment.folder, 'recorded.jsonl');
    expect((await deployment.evenkeel('export', 'simulated', '--format', 'replay', '--out', recording)).status).toBe(0);
    const again = await deployment.evenkeel(
      'run',
      deployment.write('b.yaml', spec('replayed', `{ id: needy, provider: replay, file: "${recording}" }`)),
    );
    expect(again.status, again.output).toBe(0);
    expect(await deployment.rows('replayed', passes)).toEqual(first);
  } finally {
    await deployment.close();
  }
});
