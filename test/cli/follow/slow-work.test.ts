import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { referenceKey } from '../../../activities/judging/execution-key.ts';
import { loadBenchmarks } from '../../../activities/runs/plan-inputs.ts';
import { slowWork } from '../../../cli/follow/slow-work.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

test('slow programs left: one for each cell whose reference takes seconds, on half of the cores', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(3)));
  writeFileSync(
    join(folder, 'spec.yaml'),
    'name: r\nmodels: [{ id: one, provider: simulated }, { id: two, provider: simulated }]\nbenchmarks: ' +
      '{ tiny: { format: evenkeel, path: tiny.jsonl } }\nstudies: [{ name: loops, kind: evaloop, benchmark: tiny }]\n',
  );
  const file = await readSpecFile(join(folder, 'spec.yaml'));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  const planned = await planRun({ ...file, runsDir: folder, runId: 'r', sandbox });
  const { tasks } = (await loadBenchmarks(file)).get('tiny') ?? { tasks: [] };
  for (const task of tasks)
    for (const suite of task.suites) {
      const caseMs = task.taskId === 'Tiny/2' && suite.name === 'base' ? [30_000, 20_000] : [1];
      const record = {
        key: referenceKey(sandbox, task, suite),
        outcome: 'pass' as const,
        firstFailingCase: null,
        outputs: [],
        caseMs,
      };
      await planned.ledger.saveReference(record);
    }
  const left = await slowWork({ ...planned });
  const slots = Math.max(1, Math.floor(availableParallelism() / 2));
  expect(await left()).toBe((2 * 50_000) / slots);
  await planned.ledger.close();
});
