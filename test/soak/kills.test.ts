/** Sweeps under kills drawn from every kind that there is, round after round: EVENKEEL_SOAK_ROUNDS of them (default: 25). */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { atOnce, inStart } from '../support/kill-moments.ts';
import { type KillRounds, openKillRounds, type PlannedKill, quickHeartbeats } from '../support/kill-rounds.ts';
import { everything, type Victim } from '../support/kill-study.ts';
import { hasProcessTable } from '../support/processes.ts';

const roundCount = Number(process.env['EVENKEEL_SOAK_ROUNDS'] ?? 25);

describe.skipIf(!hasProcessTable)(
  `a sweep survives${hasProcessTable ? '' : ' (skipped: it takes /proc to find the processes to kill)'}`,
  () => {
    let rounds: KillRounds;
    beforeAll(async () => {
      rounds = await openKillRounds();
    });
    afterAll(() => rounds?.close());

    test.each(Array.from({ length: roundCount }, (_, round) => [`${round + 1}`]))('round %s of random kills', (round) => {
      const count = 2 + Math.floor(rounds.random() * 3);
      const kills = Array.from({ length: count }, () => drawKill(rounds.random)).flat();
      return rounds.survives(`round${round}`, quickHeartbeats, kills);
    });
  },
);

const deleteDatabase = (runsDir: string): void => rmSync(join(runsDir, '.temporal'), { recursive: true, force: true });

/** One kill of any victims; now and then of a command that has only just started, or with a worker that is stopped for a while. */
function drawKill(random: () => number): PlannedKill[] {
  if (random() < 0.15)
    return [
      { victims: [random() < 0.5 ? 'llm' : 'workflow'], signal: 'SIGSTOP' },
      takenOver(random),
      { victims: ['stopped'], signal: 'SIGCONT' },
    ];
  const victims = drawVictims(random);
  if (!victims.includes('run')) return [{ victims }];
  return [
    { victims, ...afterwards(random) },
    ...(random() < 0.3 ? [{ victims: everything, moment: inStart(random), ...afterwards(random) }] : []),
  ];
}

const takenOver = (random: () => number): PlannedKill => ({ victims: ['run'], moment: atOnce, ...afterwards(random) });

function drawVictims(random: () => number): Victim[] {
  const victims = everything.filter(() => random() < 0.5);
  return victims.length > 0 ? victims : drawVictims(random);
}

const afterwards = (random: () => number): Pick<PlannedKill, 'next' | 'between'> => ({
  next: random() < 0.5 ? 'run' : 'resume',
  ...(random() < 0.3 ? { between: deleteDatabase } : {}),
});
