/** `pause` and `cancel` that come just before a run's end: the run is complete, and nothing is left to continue. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { setRunState } from '../../../activities/storage/manifest.ts';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { stopFound } from '../../../cli/commands/control.ts';
import { lateStopText } from '../../../cli/follow/pausing.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { planFolder } from '../../activities/estimate/planned-spec.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';
const begun = () => planFolder().begin({ tasks: 3, models: '[{ id: a, provider: account }]', studies });

function listening() {
  const said: string[] = [];
  const documents: unknown[] = [];
  const say = (text: string): void => void said.push(text);
  const document = (value: unknown): void => void documents.push(value);
  return { said, documents, terminal: { ...createTerminal(false), out: say, note: say, document } };
}

// Red before: "Continue with: resume", and without an owner the complete run became incomplete.
test.each([['pause'], ['cancel']] as const)('%s of a run that became complete meanwhile says so', async (verb) => {
  for (const isOwned of [true, false]) {
    const { home, ledger } = await begun();
    await ledger.close();
    const found = { home, manifest: await home.manifest() };
    expect(found.manifest.state).toBe('running');
    await setRunState(home, 'complete', null);
    const owned = isOwned ? await ownerLock(home.folder).take() : null;
    const { said, documents, terminal } = listening();
    expect(await stopFound(verb, 'planned', found, dirname(home.folder), terminal)).toBe(0);
    await owned?.release();
    expect(said.join('\n')).toMatch(/^run "planned" is complete: it ended before/);
    expect(said.join('\n')).not.toContain('ontinue with');
    expect(documents).toEqual([{ run: 'planned', stop: null, state: 'complete' }]);
    expect(await home.manifest()).toMatchObject({ state: 'complete', stateDetail: null });
  }
});

// Red before: "Continue with:", although a run without calls left may still end complete.
test('pause of a run that a process works on says that it may still end complete', async () => {
  const { home, ledger } = await begun();
  await ledger.close();
  const owned = await ownerLock(home.folder).take();
  const { said, terminal } = listening();
  await stopFound('pause', 'planned', { home, manifest: await home.manifest() }, dirname(home.folder), terminal);
  await owned?.release();
  expect(said[0]).toMatch(/none is in flight, so the run ends\. Unless it ends complete, continue with:\n.*resume/);
});

test("the run's own command says that a pause came after its last call", async () => {
  const { home, ledger } = await begun();
  const complete = { ...(await home.manifest()), state: 'complete' } as const;
  expect(await lateStopText(complete, ledger)).toBeNull();
  await ledger.setStop(null, 'paused', 'interrupted');
  expect(await lateStopText(complete, ledger)).toBeNull();
  await ledger.setStop(null, 'paused', 'paused by the user');
  expect(await lateStopText(complete, ledger)).toMatch(/is complete: paused by the user only after its last call/);
  expect(await lateStopText({ ...complete, state: 'incomplete' }, ledger)).toBeNull();
  await ledger.close();
});
