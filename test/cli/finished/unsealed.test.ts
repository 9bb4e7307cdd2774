/** `status` of a run whose command ended after the last page, before the last files were written. */
import { dirname } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { setRunState } from '../../../activities/storage/manifest.ts';
import { status } from '../../../cli/commands/status.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { planFolder } from '../../activities/estimate/planned-spec.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';

afterEach(() => void vi.useRealTimers());

// Red before: "complete", and nothing of what was missing (a full disk in the last second of a run); then too early,
// while the command was still writing.
test('after two minutes status says how to finish it, and nothing once it is sealed', async () => {
  const { home, ledger } = await planFolder().begin({ tasks: 3, models: '[{ id: a, provider: account }]', studies });
  await ledger.close();
  await setRunState(home, 'complete', null);
  const runsDir = dirname(home.folder);
  const said = async (): Promise<string> => {
    const lines: string[] = [];
    await status('planned', { runsDir }, { ...createTerminal(false), out: (text) => void lines.push(text) });
    return lines.join('\n');
  };
  expect(await said()).not.toContain('not all files');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 130_000 });
  expect(await said()).toMatch(/not all files are written yet: if its command has ended, finish .*resume planned/);
  await home.seals.seal();
  expect(await said()).not.toContain('not all files');
});
