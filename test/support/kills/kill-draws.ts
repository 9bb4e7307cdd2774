/** Random kills of every kind. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce, inStart } from './kill-moments.ts';
import type { PlannedKill } from './kill-rounds.ts';
import { everything, type Victim } from './kill-study.ts';

const anything: readonly Victim[] = [...everything, 'slots', 'endpoint'];

/** Two to four kills, each with its follow-up steps. */
export const drawKills = (random: () => number): PlannedKill[] =>
  Array.from({ length: 2 + Math.floor(random() * 3) }, () => drawKill(random)).flat();

const deleteDatabase = (runsDir: string): void => rmSync(join(runsDir, '.temporal'), { recursive: true, force: true });

/**
 * One kill of random victims; sometimes of a command that has just started, or with a worker that is stopped for a
 * while.
 */
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

/**
 * `count` kills of any processes of the sweep, one to three at a time; a fifth of them stop a process for a while
 * instead of killing it.
 */
export function drawStrangersKills(count: number, random: () => number): PlannedKill[] {
  const kills: PlannedKill[] = [];
  while (kills.filter(({ signal }) => signal !== 'SIGCONT').length < count) {
    const victims = anything.filter(() => random() < 0.3).slice(0, 3);
    if (victims.length === 0) continue;
    if (random() >= 0.2) kills.push({ victims, ...(victims.includes('run') ? afterwards(random) : {}) });
    else kills.push(...stoppedForAWhile(victims, random));
  }
  return kills;
}

/** Shorter than the heartbeats of `quickHeartbeats`. */
function stoppedForAWhile(victims: readonly Victim[], random: () => number): PlannedKill[] {
  const mortal = victims.filter((victim) => victim !== 'endpoint');
  if (mortal.length === 0) return [];
  const after = { ...atOnce, what: 'a while later', thenMs: Math.floor(random() * 3_000) };
  return [
    { victims: mortal, signal: 'SIGSTOP' },
    { victims: ['stopped'], signal: 'SIGCONT', moment: after },
  ];
}
