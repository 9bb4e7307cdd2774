/** The seeds of tests that draw what they do, so that a second try does what the first did. */
import { randomInt } from 'node:crypto';

const seeds = ['EVENKEEL_FUZZ_SEED', 'EVENKEEL_FAULT_SEED', 'EVENKEEL_KILL_SEED'] as const;

/** Draws the seeds that are not given, into `env`, and prints all. */
export function drawSeeds(env: NodeJS.ProcessEnv): void {
  for (const name of seeds) env[name] ??= String(randomInt(2 ** 31));
  console.log(seeds.map((name) => `${name}=${env[name]}`).join(' '));
}
