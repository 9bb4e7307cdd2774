/**
 * Sweeps under kills drawn from every kind that there is, round after round:
 * EVENKEEL_SOAK_ROUNDS of them (default: 25).
 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { drawKills } from '../support/kills/kill-draws.ts';
import { type KillRounds, openKillRounds, quickHeartbeats } from '../support/kills/kill-rounds.ts';
import { hasProcessTable } from '../support/processes.ts';

const roundCount = Number(process.env['EVENKEEL_SOAK_ROUNDS'] ?? 25);

describe.skipIf(!hasProcessTable)(
  `a sweep survives${hasProcessTable ? '' : ' (skipped: needs /proc to find the processes to kill)'}`,
  () => {
    let rounds: KillRounds;
    beforeAll(async () => {
      rounds = await openKillRounds();
    });
    afterAll(() => rounds?.close());

    test.each(Array.from({ length: roundCount }, (_, round) => [`${round + 1}`]))(
      'round %s of random kills',
      (round) => {
        return rounds.survives(`round${round}`, quickHeartbeats, drawKills(rounds.random));
      },
    );
  },
);
