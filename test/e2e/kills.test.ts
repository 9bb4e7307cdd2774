/**
 * Real kills at random moments: every sweep ends with the tables of an undisturbed one, and no more calls are repeated
 * than were in flight.
 *
 * What gives which guarantee, each seen red here without its line:
 * - answered calls are not asked again: `known?.answered` in call-book.ts and `known ? [known.reply]` in generate.ts
 *   (140 repeats, 15 in flight)
 * - lost calls are asked again: `loseOpenIntents` in openUnit of sqlite-ledger.ts (the sweep waits for a dead attempt's
 *   call)
 * - a dead worker comes back: `child = start()` in worker-processes.ts
 * - no worker outlives its command: `process.ppid` in until-drained.ts
 * - no server outlives it: `findProcesses` in embedded-server.ts Fences by epoch and attempt, insert-or-ignore of
 *   replies and fsync show in the ledger's own tests: here a second answer is the same text.
 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inFull, long } from '../support/forms/long.ts';
import { atOnce, soon, whileFinishing, whilePreparing, whileSealing } from '../support/kills/kill-moments.ts';
import { type KillRounds, openKillRounds, quickHeartbeats as quick } from '../support/kills/kill-rounds.ts';
import { everything } from '../support/kills/kill-study.ts';
import { hasProcessTable } from '../support/processes.ts';

describe.skipIf(!hasProcessTable)(
  `a sweep survives${hasProcessTable ? '' : ' (skipped: needs /proc to find the processes to kill)'}`,
  () => {
    let rounds: KillRounds;
    beforeAll(async () => {
      rounds = await openKillRounds();
    });
    afterAll(() => rounds?.close());

    test('kills of a worker and of the server during a run, with the usual heartbeats', () =>
      rounds.survives('living', {}, [{ victims: ['llm'] }, { victims: ['server'] }, { victims: ['workflow'] }]));

    long(`kills while references are run, while a page is sealed and while the run is finished${inFull}`, () =>
      rounds.survives('narrow', { ...quick, EVENKEEL_CACHE: rounds.newCache() }, [
        { victims: ['llm'], moment: whilePreparing(rounds.random) },
        { victims: ['workflow'], moment: whileSealing(rounds.random) },
        { victims: everything, moment: whileFinishing(rounds.random), next: 'resume' },
      ]),
    );

    long(`a suspended worker that continues after another has taken its place${inFull}`, () =>
      rounds.survives('stopped', quick, [
        { victims: ['llm'], signal: 'SIGSTOP' },
        { victims: ['run'], moment: atOnce, next: 'resume' },
        { victims: ['stopped'], moment: soon(rounds.truth.calls, rounds.random), signal: 'SIGCONT' },
      ]),
    );
  },
);
