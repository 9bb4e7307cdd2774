/** Kills drawn from every kind that there is. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce, inStart } from './kill-moments.ts';
import type { PlannedKill } from './kill-rounds.ts';
import { everything, type Victim } from './kill-study.ts';

/** Two to four of them, and what belongs to each. */
export const drawKills = (random: () => number): PlannedKill[] =>
  Array.from({ length: 2 + Math.floor(random() * 3) }, () => drawKill(random)).flat();

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
