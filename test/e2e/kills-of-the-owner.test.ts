/**
 * Real kills of the command that owns a run, and of all that it started: kills.test.ts lists which line gives which
 * guarantee.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFull, long } from '../support/forms/long.ts';
import { startCommand } from '../support/command.ts';
import { inStart, whileServerStarts } from '../support/kills/kill-moments.ts';
import { type KillRounds, openKillRounds, quickHeartbeats as quick } from '../support/kills/kill-rounds.ts';
import { concurrency, everything, runFolder, runId, writeSpec } from '../support/kills/kill-study.ts';
import { hasProcessTable } from '../support/processes.ts';
import { stableRows } from '../support/stable-rows.ts';

describe.skipIf(!hasProcessTable)(
  `a run survives its owner${hasProcessTable ? '' : ' (skipped: needs /proc to find the processes to kill)'}`,
  () => {
    let rounds: KillRounds;
    beforeAll(async () => {
      rounds = await openKillRounds();
    });
    afterAll(() => rounds?.close());

    test('when everything is killed and run or resume follows', () =>
      rounds.survives('everything', quick, [
        { victims: everything, moment: inStart(rounds.random), next: 'run' },
        { victims: ['run'], moment: whileServerStarts(rounds.random), next: 'run' },
        { victims: everything, next: 'resume' },
        { victims: ['run', 'server'], next: 'run' },
      ]));

    long(`when the Temporal database is deleted, after its server was killed or while it runs${inFull}`, () => {
      const between = (runsDir: string): void => rmSync(join(runsDir, '.temporal'), { recursive: true, force: true });
      return rounds.survives('database', quick, [
        { victims: everything, next: 'resume', between },
        { victims: ['run', 'llm', 'workflow'], next: 'resume', between },
      ]);
    });

    long(`when two runs, or two resumes, start at the same moment${inFull}`, async () => {
      const { endpoint, truth } = rounds;
      const study = rounds.newStudy('two', quick);
      const spec = writeSpec(study);
      const from = endpoint.log().length;
      const received = (): number => endpoint.log(from).filter(({ outcome }) => outcome === 'received').length;
      const both = (...args: readonly string[]) =>
        [0, 1].map(() => startCommand([...args, '--runs-dir', study.runsDir], study.env));
      const runs = both('run', spec);
      while (received() < truth.calls / 2) await sleep(20);
      for (const { process } of runs) process.kill('SIGKILL');
      await Promise.all(runs.map(({ ended }) => ended));
      const resumes = both('resume', runId);
      expect(
        await Promise.all(resumes.map(({ ended }) => ended)),
        resumes.map((one) => one.output()).join('\n'),
      ).toEqual([0, 0]);
      expect(await stableRows(runFolder(study))).toEqual(truth.rows);
      expect(received() - truth.calls).toBeLessThanOrEqual(concurrency);
    });
  },
);
