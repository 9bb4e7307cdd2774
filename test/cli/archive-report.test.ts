/** A report of an archive that was unpacked without replies: its folder can only be read. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSampleRun } from '../analysis/sample-run.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Red before: "it can only be read: query, report, explain, compare, gate and verify work", of a report.
test('is written elsewhere, as the message for its own folder says', async () => {
  const folder = temporaryFolder();
  const run = join(folder, 'small');
  await writeSampleRun(
    run,
    {
      ...{ runId: 'small', tasks: 2, maxLoops: 2, judge: null, withAsl: true, missing: 0 },
      models: [{ id: 'm', family: null, simulated: true, first: 1, later: 1 }],
    },
    { archive: { programVersion: '0.1.0', without: ['replies'], dataSets: {}, leftOut: ['ledger.sqlite'] } },
  );
  const before = readdirSync(run);
  const inside = await runCommand(['report', 'small', '--runs-dir', folder, '--format', 'md']);
  expect(inside.status, inside.output).toBe(2);
  expect(inside.stderr).toContain(
    'small  is an archive without replies, whose files have checksums: name a file in another folder with --out FILE',
  );
  expect(readdirSync(run)).toEqual(before);
  const out = join(folder, 'small.md');
  const outside = await runCommand(['report', 'small', '--runs-dir', folder, '--format', 'md', '--out', out]);
  expect(outside.status, outside.output).toBe(0);
  expect(existsSync(out)).toBe(true);
}, 60_000);
