/** Two runs whose specs give one benchmark two names. */
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { changedTaskIds, tasksChanged } from '../../../studies/across/changed-tasks.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { writeRun } from '../../analysis/run-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const specOf = (benchmark: string) =>
  parseSpec(
    `
name: n
models: [{ id: m, provider: simulated }]
benchmarks: { ${benchmark}: { format: mbpp-plus, path: p } }
studies: [{ name: s, kind: pass, benchmark: ${benchmark} }]
`,
    's.yaml',
  );

// Red before: `gate` took all tasks for new, and `compare` none for changed.
test('its tasks are those of the study of the same name: only the one that changed is left out', async () => {
  const folder = temporaryFolder();
  folders.push(folder);
  for (const [run, benchmark] of [
    ['old', 'b'],
    ['new', 'c'],
  ] as const)
    await writeRun(
      join(folder, run),
      [
        {
          ...({ table: 'tasks', page: 'run' } as const),
          rows: [1, 2, 3].map((task) => ({
            ...{ run, benchmark, task_id: `T/${task}`, language: 'python' },
            record_sha256: task === 3 ? `${task} in ${run}` : `${task}`,
          })),
        },
        {
          ...({ table: 'suites', page: 'run' } as const),
          rows: [1, 2, 3].map((task) => ({
            ...{ run, benchmark, task_id: `T/${task}`, language: 'python', suite: 'base' },
            ...{ n_cases: 1, n_cases_judged: run === 'new' && task === 2 ? 0 : 1 },
          })),
        },
      ],
      { runId: run, spec: specOf(benchmark) },
    );
  const database = await openRun(['old', 'new'].map((run) => join(folder, run)));
  const [old, now] = database.manifests as [Manifest, Manifest];
  for (const bothWays of [true, false]) {
    const found = await tasksChanged(database, [old, now], 'b', bothWays);
    expect([[...found.changedRecords], [...found.changed].toSorted()]).toEqual([['T/3'], ['T/2', 'T/3']]);
  }
  expect([...(await changedTaskIds(database, old, now, 'c'))]).toEqual(['T/3']);
  database.close();
});
