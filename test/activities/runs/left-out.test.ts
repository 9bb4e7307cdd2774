/** Slow references: what a study leaves out, what plan says of them, and how long programs then take. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { estimatePlan } from '../../../activities/estimate/estimate-plan.ts';
import { leftOutOf, undecided } from '../../../activities/runs/left-out.ts';
import { loadBenchmarks, tasksOf } from '../../../activities/runs/plan-inputs.ts';
import { planRun } from '../../../activities/runs/plan-run.ts';
import type { ReferenceTimes } from '../../../activities/judging/reference-times.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import type { PlanRevision } from '../../../schemas/plan.ts';
import type { Task } from '../../../schemas/task.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };

/** One of the tasks takes `slowMs`, the others a millisecond. */
const timesWith =
  (slowMs: number, slow = 'Tiny/2') =>
  async (tasks: readonly Task[]): Promise<ReferenceTimes> =>
    new Map(tasks.map(({ taskId }) => [taskId, { ms: taskId === slow ? slowMs : 1, unknown: 0 }]));

function folderWith(tasks: number, study = 'maxReferenceMs: 10000, ') {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'runs'));
  const write = (count: number) => {
    writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(count)));
    writeFileSync(
      join(folder, 'spec.yaml'),
      `name: r\nmodels: [{ id: one, provider: simulated }]\nbenchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, ${study}settings: {} }]\n`,
    );
    return readSpecFile(join(folder, 'spec.yaml'));
  };
  const plan = async (count: number, slowMs: number, slow?: string) => {
    const planned = await planRun({
      ...(await write(count)),
      ...{ runsDir: join(folder, 'runs'), runId: 'r', sandbox, referenceTimes: timesWith(slowMs, slow) },
    });
    await planned.ledger.close();
    const cells = planned.manifest.plan.flatMap(({ file }) => {
      const { pages } = JSON.parse(readFileSync(join(folder, 'runs', 'r', file), 'utf8')) as PlanRevision;
      return pages.flatMap((page) => page.cells.map(({ taskId }) => taskId));
    });
    return { leftOut: planned.manifest.leftOut, cells };
  };
  return { plan, file: () => write(tasks) };
}

test('a task whose reference takes longer is not planned, and stays out when its time is another later', async () => {
  const { plan } = folderWith(3);
  const slow = { loops: [{ taskId: 'Tiny/2', referenceMs: 56_012 }] };
  expect(await plan(3, 56_012.4)).toEqual({ leftOut: slow, cells: ['Tiny/1', 'Tiny/3'] });
  expect(await plan(4, 5)).toEqual({ leftOut: slow, cells: ['Tiny/1', 'Tiny/3', 'Tiny/4'] });
});

// Red before: the refusal did not say why no task was there.
test('a study whose only task is slow names it in the refusal', async () => {
  const { plan } = folderWith(1, 'maxReferenceMs: 1, ');
  await expect(plan(1, 2, 'Tiny/1')).rejects.toThrow(
    /nothing to do: .*\nstudy loops .*1 task.* longer than 1 ms: Tiny\/1 /,
  );
});

test('a task that is planned stays planned, though its reference is slow now', async () => {
  const { plan } = folderWith(3);
  expect(await plan(3, 9_999)).toEqual({ leftOut: undefined, cells: ['Tiny/1', 'Tiny/2', 'Tiny/3'] });
  expect((await plan(4, 60_000)).cells).toEqual(['Tiny/1', 'Tiny/2', 'Tiny/3', 'Tiny/4']);
});

async function estimateWith(times: ReferenceTimes, study?: string) {
  const file = await folderWith(3, study).file();
  const benchmarks = await loadBenchmarks(file);
  const leftOut = await leftOutOf(file.spec, tasksOf(benchmarks), undecided, async () => times);
  return estimatePlan({ spec: file.spec, benchmarks, earlier: null, tier: 'embedded', times, leftOut });
}

test('plan lists slow references, the unknown ones, and the tasks left out', async () => {
  const times = new Map([
    ['Tiny/1', { ms: 1, unknown: 0 }],
    ['Tiny/2', { ms: 50_000, unknown: 0 }],
    ['Tiny/3', { ms: 0, unknown: 2 }],
  ]);
  const knowing = await estimateWith(times, '');
  expect(knowing.warnings[0]).toMatch(
    /^references of 1 of 3 tasks take more than 1 s \(Tiny\/2 50\.0 s\).*maxReferenceMs/,
  );
  expect(knowing.warnings[1]).toMatch(
    /^2 of 6 references were not run on this machine yet: .* assumed to take milliseconds/,
  );
  const leaving = await estimateWith(times);
  expect(leaving.warnings[0]).toBe(
    'study loops leaves out 1 task, whose reference takes longer than 10000 ms: Tiny/2 50,000 ms',
  );
  expect(leaving.lanes.map(({ cells }) => cells)).toEqual([2]);
});

test('each program of a slow task takes as long as its reference', async () => {
  const quick = await estimateWith(new Map(), '');
  const slow = await estimateWith(new Map([['Tiny/2', { ms: 50_000, unknown: 0 }]]), '');
  // One program of each of three tasks at least: the slow one alone takes 50 s of one core.
  expect(quick.run.timeSeconds.minimum).toBeLessThan(1);
  expect(slow.run.timeSeconds.minimum).toBeGreaterThan(50 / 64);
  expect(slow.run.timeSeconds.minimum).toBeLessThan(51);
  expect(slow.run.timeSeconds.expected).toBeGreaterThan(2 * slow.run.timeSeconds.minimum);
});
