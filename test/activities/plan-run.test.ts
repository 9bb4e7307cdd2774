import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type PlannedRun, planRun } from '../../activities/plan-run.ts';
import { setRunState } from '../../activities/storage/manifest.ts';
import { sealLedger } from '../../activities/storage/seals.ts';
import { verifyRun } from '../../activities/storage/verify.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { InputError } from '../../domain/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const spec = `name: r
models: [{ id: m, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny }]
`;
let runsDir = '';
let folder = '';

beforeEach(() => {
  runsDir = temporaryFolder();
  folder = join(runsDir, 'r');
  writeFileSync(join(runsDir, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
});

async function planned(text = spec): Promise<PlannedRun> {
  writeFileSync(join(runsDir, 'spec.yaml'), text);
  const file = await readSpecFile(join(runsDir, 'spec.yaml'));
  return planRun({ ...file, runsDir, runId: 'r', sandbox: { tier: 'embedded', engine: 'none', imageDigest: 'none' } });
}

test('a folder of the run’s name without a manifest is refused as it is', async () => {
  mkdirSync(folder);
  await expect(planned()).rejects.toThrow(InputError);
  await expect(planned()).rejects.toThrow(`${folder}  is there but has no manifest.json: put it back from a copy, or use another name`);
  expect(readdirSync(folder)).toEqual([]);
});

test('another budget for a run that is finished leaves no wrong seal', async () => {
  (await planned()).ledger.close();
  await setRunState(folder, 'complete', null);
  await sealLedger(folder);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
  (await planned()).ledger.close();
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
  (await planned(`${spec}budget: { usd: 3 }\n`)).ledger.close();
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: false });
});
