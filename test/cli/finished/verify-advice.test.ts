/** Commands that `verify` advises name the folder of runs: the run may lie in another one than the usual. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSealed } from '../../../activities/storage/seals.ts';
import { verify } from '../../../cli/commands/verify.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { planFolder } from '../../activities/estimate/planned-spec.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';

// Red before: `evenkeel report planned`, which looks for the run in data/runs.
test('the command that writes a damaged report again is whole', async () => {
  const { home, ledger } = await planFolder().begin({ tasks: 3, models: '[{ id: a, provider: account }]', studies });
  await ledger.close();
  const report = join(home.folder, 'report.html');
  await writeSealed(home.folder, report, '<!doctype html>');
  writeFileSync(report, 'x');
  const said: string[] = [];
  const documents: unknown[] = [];
  const terminal = {
    ...createTerminal(false),
    out: (text: string) => void said.push(text),
    document: (one: unknown) => void documents.push(one),
  };
  const runsDir = dirname(home.folder);
  expect(await verify('planned', { runsDir }, terminal)).toBe(1);
  const command = `\`evenkeel report planned --runs-dir ${runsDir}\` writes it again`;
  expect(said.join('\n')).toContain(`problem: report.html has SHA-256`);
  expect(said.join('\n')).toContain(command);
  expect(documents).toEqual([
    expect.objectContaining({ ok: false, problems: [expect.stringContaining(command)] as unknown }),
  ]);
});
