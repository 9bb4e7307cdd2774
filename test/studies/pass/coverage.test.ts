/**
 * Intervals against known truth. A task's chance to pass is drawn from a distribution with known mean and variance;
 * over all tasks Fleiss' kappa is then its variance over mean times (1 - mean), and a sample agrees with one of another
 * repetition with probability 1 - 2 (mean - mean² - variance).
 *
 * `EVENKEEL_COVERAGE_RUNS=2000 npx vitest run test/studies/pass/coverage` holds the shares to at least 93 of 100; the
 * shorter form here leaves room for the luck of 60 runs.
 */
import { expect, test } from 'vitest';
import { uniform } from '../../../domain/random.ts';
import type { Row } from '../../../schemas/tables.ts';
import { collectPassGroups } from '../../../studies/pass/results/counts.ts';
import { passAtKRows, repeatRow } from '../../../studies/pass/results/rows.ts';

const runs = Number(process.env['EVENKEEL_COVERAGE_RUNS'] ?? 60);
const fewest = runs >= 600 ? 0.93 : 0.85;

/** Chances low + (high - low) u^power for a uniform u. */
interface Chances {
  readonly low: number;
  readonly high: number;
  readonly power: number;
}

/** E of the chance to the power of `k`, by the midpoint rule. */
function moment({ low, high, power }: Chances, k: number): number {
  const steps = 200_000;
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum += (low + (high - low) * ((step + 0.5) / steps) ** power) ** k;
  return sum / steps;
}

const key = { run: 'r', study: 's', model: 'm', benchmark: 'b', language: 'python', setting: 'x', suite: 'all suites' };
const k = 3;

function simulated(chances: Chances, tasks: number, repetitions: number, samples: number, seed: number): Row {
  const next = uniform(seed);
  const rows = Array.from({ length: tasks }, (_, task) => {
    const chance = chances.low + (chances.high - chances.low) * next() ** chances.power;
    return Array.from({ length: repetitions }, (__, repetition): Row => {
      const n_passed = Array.from({ length: samples }, () => next() < chance).filter(Boolean).length;
      return { ...key, task_id: `T/${task}`, repetition, n_samples: samples, n_passed, n_excluded: 0, simulated: true };
    });
  });
  const collector = collectPassGroups();
  collector.add(rows.flat());
  const [group] = collector.groups();
  if (group === undefined) throw new Error('there is one group');
  return { ...repeatRow(group), ...passAtKRows(group, [k])[0] };
}

test.each([
  { name: 'spread', chances: { low: 0, high: 1, power: 1 }, tasks: 40, repetitions: 2, samples: 3 },
  { name: 'mostly hard', chances: { low: 0.02, high: 0.98, power: 4 }, tasks: 80, repetitions: 3, samples: 1 },
  { name: 'alike', chances: { low: 0.4, high: 0.7, power: 1 }, tasks: 60, repetitions: 2, samples: 2 },
  { name: 'few tasks', chances: { low: 0, high: 1, power: 2 }, tasks: 10, repetitions: 3, samples: 2 },
])(
  `$name: 95 % intervals hold in at least ${fewest * 100} of 100 runs (${runs} runs)`,
  ({ chances, tasks, repetitions, samples }) => {
    const [first, second] = [moment(chances, 1), moment(chances, 2)];
    const spread = second - first ** 2;
    const truth = {
      kappa: spread / (first * (1 - first)),
      agreement: 1 - 2 * (first - second),
      pass_at_k: 1 - moment({ ...chances, low: 1 - chances.low, high: 1 - chances.high }, k),
      pass_hat_k: moment(chances, k),
    };
    const held = { kappa: 0, agreement: 0, pass_at_k: 0, pass_hat_k: 0 };
    for (let run = 0; run < runs; run += 1) {
      const row = simulated(chances, tasks, repetitions, samples, 7 * run + 1);
      for (const name of ['kappa', 'agreement', 'pass_at_k', 'pass_hat_k'] as const) {
        const [lo, hi] = [row[`${name}_lo`], row[`${name}_hi`]] as [number, number];
        if (lo <= truth[name] && truth[name] <= hi) held[name] += 1;
      }
    }
    for (const [name, times] of Object.entries(held)) expect(times / runs, name).toBeGreaterThanOrEqual(fewest);
  },
);
