/** `verify` of a run whose manifest cannot be read. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { writeSampleRun } from '../../analysis/sample-run.ts';
import { runCommand } from '../../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-manifest-'));
const manifest = join(folder, 'small', 'manifest.json');
beforeEach(async () => {
  rmSync(join(folder, 'small'), { recursive: true, force: true });
  await writeSampleRun(join(folder, 'small'), {
    ...{ runId: 'small', tasks: 2, maxLoops: 2, judge: null, withAsl: true, missing: 0 },
    models: [{ id: 'm', family: null, simulated: true, first: 1, later: 1 }],
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const verified = (...more: readonly string[]) => runCommand(['verify', 'small', '--runs-dir', folder, ...more]);

// Red before: exit status 2, as for a wrong name.
test.each([
  ['cut', (text: string) => text.slice(0, -20)],
  ['empty', () => ''],
  ['without a field', (text: string) => text.replace('"runId"', '"runIs"')],
])('that is %s: damage was found, exit status 1', async (_what, damaged) => {
  writeFileSync(manifest, damaged(readFileSync(manifest, 'utf8')));
  const { status, stdout } = await verified();
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^problem: .*restore it from a backup of the run/)]);
  const json = await verified('--json');
  expect([json.status, JSON.parse(json.stdout)]).toMatchObject([1, { run: 'small', ok: false }]);
});

test('a run that does not exist, and one of a newer program, are not damage: exit status 2', async () => {
  expect((await runCommand(['verify', 'other', '--runs-dir', folder])).status).toBe(2);
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"formatVersion": ?\d+/, '"formatVersion": 99'));
  const { status, stderr } = await verified();
  expect([status, stderr]).toEqual([2, expect.stringContaining('run format 99')]);
});
