/** A worker that stands still while another takes its place, then goes on: kills.test.ts tells which line gives which guarantee. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { atOnce, soon } from '../support/kill-moments.ts';
import { type KillRounds, openKillRounds, quickHeartbeats as quick } from '../support/kill-rounds.ts';
import { hasProcessTable } from '../support/processes.ts';

describe.skipIf(!hasProcessTable)(
  `a sweep survives the stopped${hasProcessTable ? '' : ' (skipped: it takes /proc to find the processes to kill)'}`,
  () => {
    let rounds: KillRounds;
    beforeAll(async () => {
      rounds = await openKillRounds();
    });
    afterAll(() => rounds?.close());

    test('a worker that was only stopped and goes on when another has taken its place', () =>
      rounds.survives('stopped', quick, [
        { victims: ['llm'], signal: 'SIGSTOP' },
        { victims: ['run'], moment: atOnce, next: 'resume' },
        { victims: ['stopped'], moment: soon(rounds.random), signal: 'SIGCONT' },
      ]));
  },
);
