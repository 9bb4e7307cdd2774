import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

/** What no hash of a stored body covers. */
function changeLedger(): void {
  const file = new DatabaseSync(join(folder, 'ledger.sqlite'));
  file.exec("update page set failure = 'damaged'");
  file.close();
}

const withSecondModel = spec.replace('[{', '[{ id: second, provider: simulated }, {');

test('a larger spec takes the seal off a ledger that has it, and refuses one that has not, and changes nothing', async () => {
  (await planned()).ledger.close();
  await setRunState(folder, 'complete', null);
  await sealLedger(folder);
  changeLedger();
  const before = readdirSync(folder, { recursive: true });
  const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  for (const text of [withSecondModel, `${spec}budget: { usd: 3 }\n`]) {
    const refused = planned(text);
    await expect(refused).rejects.toThrow(/ledger\.sqlite: has SHA-256 \w+, not \w+, which it was sealed with .* put it back from a copy/);
    await expect(refused).rejects.toMatchObject({ name: 'CorruptionError' });
  }
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe(manifest);
  expect((await verifyRun(folder)).problems).toEqual([expect.stringContaining('ledger.sqlite has SHA-256')]);
  const repair = new DatabaseSync(join(folder, 'ledger.sqlite'));
  repair.exec('update page set failure = null');
  repair.close();
  await sealLedger(folder);
  const extended = await planned(withSecondModel);
  extended.ledger.close();
  expect([extended.change, await verifyRun(folder)]).toEqual(['extended', expect.objectContaining({ ok: true, sealed: false })]);
});
