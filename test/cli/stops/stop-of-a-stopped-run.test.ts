/** `pause` and `cancel` of a run that nobody works on: what they say is what `status` says then. */
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { setRunState } from '../../../activities/storage/manifest.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import { stopRun } from '../../../cli/commands/control.ts';
import { status } from '../../../cli/commands/status.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { planFolder } from '../../activities/estimate/planned-spec.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';

// Red before: the state stayed as it was, such as "incomplete (paused: 3 pages stopped, 0 failed)" after a cancel.
test.each([
  ['cancel', 'incomplete', 'paused: 3 pages stopped, 0 failed', 'incomplete (cancelled by the user)'],
  ['cancel', 'incomplete', 'interrupted', 'incomplete (cancelled by the user)'],
  ['pause', 'incomplete', 'cancelled: 3 pages stopped, 0 failed', 'incomplete (paused by the user)'],
  // Its process was killed.
  ['cancel', 'running', null, 'incomplete (cancelled by the user)'],
] as const)('%s of a run that is %s (%s) makes it %s', async (verb, state, detail, then) => {
  const { home, ledger } = await planFolder().begin({ tasks: 3, models: '[{ id: a, provider: account }]', studies });
  await ledger.close();
  await setRunState(home, state, detail);
  await home.seals.seal();
  const said: string[] = [];
  const terminal = { ...createTerminal(false), out: (text: string) => void said.push(text), note: () => {} };
  const runsDir = dirname(home.folder);
  await stopRun(verb, 'planned', { runsDir }, terminal);
  await status('planned', { runsDir }, terminal);
  expect(said[1]?.split('\n')[0]).toBe(`planned: ${then}`);
  expect(await verifyRun(home.folder)).toMatchObject({ ok: true, sealed: true });
});

// Red before: "interrupted" at first, and a moment later "incomplete (paused: 3 pages stopped, 0 failed)".
test.each([
  ['killed just now', 'running', null],
  ['killed, and ended by workers that outlived it', 'incomplete', 'interrupted: 3 pages stopped, 0 failed'],
  ['ended by Ctrl-C', 'incomplete', 'interrupted'],
] as const)('status of a run whose command was %s says how to go on', async (_end, state, detail) => {
  const { home, ledger } = await planFolder().begin({ tasks: 3, models: '[{ id: a, provider: account }]', studies });
  await ledger.close();
  await setRunState(home, state, detail);
  const said: string[] = [];
  const documents: unknown[] = [];
  const terminal = {
    ...createTerminal(false),
    out: (text: string) => void said.push(text),
    document: (value: unknown) => void documents.push(value),
  };
  await status('planned', { runsDir: dirname(home.folder) }, terminal);
  const [head, remedy] = said[0]?.split('\n') ?? [];
  expect(head).toBe('planned: interrupted');
  expect(remedy).toMatch(/^its command has ended; continue with: .*resume planned --runs-dir \S+$/);
  expect(documents[0]).toMatchObject({ state: 'interrupted', detail: null });
});

// Red before: the hint was to resume the run of its own name, which is another folder.
test('status of a copy under another name says why that cannot be resumed', async () => {
  const { home, ledger } = await planFolder().begin({ tasks: 3, models: '[{ id: a, provider: account }]', studies });
  await ledger.close();
  await setRunState(home, 'incomplete', 'interrupted');
  const runsDir = dirname(home.folder);
  cpSync(home.folder, join(runsDir, 'copied'), { recursive: true });
  const said: string[] = [];
  await status('copied', { runsDir }, { ...createTerminal(false), out: (text: string) => void said.push(text) });
  const [head, remedy] = said[0]?.split('\n') ?? [];
  expect(head).toBe('planned: interrupted');
  expect(remedy).toMatch(/^its command has ended; .*copied .*holds run "planned".* only under its own name: rename /);
});
