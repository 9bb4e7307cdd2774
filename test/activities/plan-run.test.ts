import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../activities/plan-run.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { InputError } from '../../domain/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

test('a folder of the run’s name without a manifest is refused as it is', async () => {
  const runsDir = temporaryFolder();
  writeFileSync(join(runsDir, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  const spec = `name: r
models: [{ id: m, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny }]
`;
  writeFileSync(join(runsDir, 'spec.yaml'), spec);
  const folder = join(runsDir, 'r');
  mkdirSync(folder);
  const file = await readSpecFile(join(runsDir, 'spec.yaml'));
  const planned = planRun({ ...file, runsDir, runId: 'r', sandbox: { tier: 'embedded', engine: 'none', imageDigest: 'none' } });
  await expect(planned).rejects.toThrow(InputError);
  await expect(planned).rejects.toThrow(`${folder}  is there but has no manifest.json: put it back from a copy, or use another name`);
  expect(readdirSync(folder)).toEqual([]);
});
