/** `verify --repair` of a run with damage that cannot be rebuilt. */
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { setRunState } from '../../../activities/storage/manifest.ts';
import { ledgerPath } from '../../../activities/storage/run-paths.ts';
import { verify } from '../../../cli/commands/verify.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { planFolder } from '../../activities/estimate/planned-spec.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';

// Red before: the problem was repeated, and nothing said what to do.
test('a repair says that a total which is not the sum of its calls cannot be rebuilt', async () => {
  const { home, ledger } = await planFolder().begin({ tasks: 3, models: '[{ id: a, provider: account }]', studies });
  await ledger.close();
  await setRunState(home, 'incomplete', 'interrupted');
  const file = new DatabaseSync(ledgerPath(home.folder));
  file.exec('update run set spent_tokens = spent_tokens + 1');
  file.close();
  const said: string[] = [];
  const terminal = { ...createTerminal(false), out: (text: string) => void said.push(text) };
  const runsDir = dirname(home.folder);
  expect(await verify('planned', { runsDir, repair: true }, terminal)).toBe(1);
  const problem = "problem: ledger: the run's spent_tokens is 1, the sum of its calls is 0";
  const remedy = expect.stringMatching(/cannot be rebuilt.*: do what they say, or restore the run folder from a copy$/);
  expect(said.slice(0, 2)).toEqual([problem, remedy]);
});
