import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Shown {
  readonly state: string;
  readonly report: string;
  readonly leaderboard: readonly {
    readonly model: string;
    readonly n: number;
    readonly simulated: boolean;
    readonly asl: { value: number } | null;
  }[];
}

test('the demo needs nothing but a folder, ends with a table of simulated models and a report, and finds itself finished the second time', async () => {
  const env = { ...process.env, EVENKEEL_RUNS: join(temporaryFolder(), 'runs') };
  const first = await runCommand(['demo', '--json'], env);
  expect(first.status, first.output).toBe(0);
  const { state, report, leaderboard } = JSON.parse(first.stdout) as Shown;
  expect(state).toBe('complete');
  expect(existsSync(report)).toBe(true);
  expect(leaderboard.map(({ model, n, simulated }) => [model, n, simulated])).toEqual(
    expect.arrayContaining(['strong-sim', 'drifting-sim', 'weak-sim', 'faulty-sim'].map((model) => [model, 45, true])),
  );
  const startedMs = performance.now();
  const second = await runCommand(['demo', '--json'], env);
  expect(second.status, second.output).toBe(0);
  expect(second.stderr).toContain('is finished already');
  expect((JSON.parse(second.stdout) as Shown).leaderboard).toEqual(leaderboard);
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
