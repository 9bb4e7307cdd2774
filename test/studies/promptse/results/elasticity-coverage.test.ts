/**
 * Known truth: the expectation of the estimators at the same numbers of tasks, variants and samples, by Monte Carlo
 * written here. The model: a task's pass probability is uniform; with chance `sensitivity` a wording has a pass
 * probability of its own; log-probability sums are normal with standard deviation 2, higher by 1 for samples that pass.
 *
 * `EVENKEEL_COVERAGE_RUNS=600 npx vitest run test/studies/promptse/results/elasticity-coverage` holds the shares to at
 * least 93 of 100; the shorter form here leaves room for the luck of 60 runs.
 */
import { expect, test } from 'vitest';
import { aucERows } from '../../../../studies/promptse/results/elasticity/auc-e-rows.ts';
import { elasticityRows } from '../../../../studies/promptse/results/elasticity/elasticity-rows.ts';
import { softExec } from '../../../../studies/promptse/soft-exec.ts';
import { uniform } from '../../../../domain/random.ts';
import type { Row } from '../../../../schemas/tables.ts';

const runs = Number(process.env['EVENKEEL_COVERAGE_RUNS'] ?? 60);
const [fewest, most] = runs >= 600 ? [93, 100] : [85, 100];
const m = 16;
const perDistance = 4;
const redraws = 2;
const tasks = 80;

type Sample = { readonly logprobSum: number; readonly passed: boolean };

const normal = (next: () => number): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
const samplesAt = (p: number, next: () => number): Sample[] =>
  Array.from({ length: m }, () => {
    const passed = next() < p;
    return { passed, logprobSum: -40 + 2 * normal(next) + (passed ? 1 : 0) };
  });

/** A task: draws of its original, then of its variants by distance. */
function taskSamples(sensitivity: number, next: () => number) {
  const p = next();
  const wording = (): number => (next() < sensitivity ? next() : p);
  return {
    p,
    originals: Array.from({ length: 1 + redraws }, () => samplesAt(p, next)),
    variants: [0.1, 0.2, 0.3].map(() => Array.from({ length: perDistance }, () => samplesAt(wording(), next))),
  };
}

/** The test's own SoftExec: plain exponentials are safe in this range. */
function soft(samples: readonly Sample[]): number {
  const weights = samples.map(({ logprobSum }) => Math.exp(logprobSum + 40));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight, index) => sum + (samples[index]?.passed ? weight : 0), 0) / all;
}
const rate = (samples: readonly Sample[]): number => samples.filter(({ passed }) => passed).length / samples.length;
const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Without replacement. */
function chosen<T>(all: readonly T[], count: number, next: () => number): T[] {
  const left = [...all];
  return Array.from({ length: count }, () => left.splice(Math.floor(next() * left.length), 1)[0] as T);
}

/**
 * E of elasticity and of its excess over the noise floor, full and light, at one distance (all three are alike here).
 * The light excess compares as many answers to the variants as the original has redrawn ones.
 */
function truth(sensitivity: number) {
  const next = uniform(4711);
  const sums = { full: 0, fullFloor: 0, light: 0, lightExcess: 0 };
  const rounds = 20_000;
  for (let round = 0; round < rounds; round += 1) {
    const { p, originals, variants } = taskSamples(sensitivity, next);
    const [first, second] = originals as [Sample[], Sample[]];
    const wordings = variants[0] as Sample[][];
    const fresh = Array.from({ length: redraws }, () => samplesAt(p, next));
    sums.full += 1 - average(wordings.map((one) => Math.abs(soft(first) - soft(one))));
    sums.fullFloor += 1 - Math.abs(soft(first) - soft(second));
    sums.light += 1 - Math.abs(rate(first) - average(wordings.map(rate)));
    const asMany = chosen(wordings.flat(), redraws * m, next);
    sums.lightExcess += Math.abs(rate(first) - rate(fresh.flat())) - Math.abs(rate(first) - rate(asMany));
  }
  const share = (sum: number): number => sum / rounds;
  return {
    full: { e: share(sums.full), excess: share(sums.full - sums.fullFloor) },
    light: { e: share(sums.light), excess: share(sums.lightExcess) },
  };
}

function scoreRow(task: number, variant: string, repetition: number, samples: readonly Sample[]): Row {
  const n_passed = samples.filter(({ passed }) => passed).length;
  return {
    ...{
      run: 'r',
      study: 's',
      model: 'm',
      benchmark: 'b',
      language: 'python',
      setting: 'default',
      task_id: `T/${task}`,
      variant,
      repetition,
    },
    distance: variant === 'original' ? null : Number(variant.slice(1, 4)),
    ...{ emotion: null, edit_distance: null, n_samples: m, n_passed, n_excluded: 0, n_without_logprobs: 0 },
    ...{ pass_rate: n_passed / m, soft_exec: softExec(samples), simulated: true },
  };
}

function oneRun(sensitivity: number, seed: number): Row[] {
  const next = uniform(seed);
  const scores = Array.from({ length: tasks }, (_, task) => {
    const { originals, variants } = taskSamples(sensitivity, next);
    const redrawn = originals.map((samples, repetition) => scoreRow(task, 'original', repetition, samples));
    const worded = variants.flatMap((all, at) =>
      all.map((samples, index) => scoreRow(task, `d0.${at + 1}-0${index}`, 0, samples)),
    );
    return [...redrawn, ...worded];
  });
  return aucERows(elasticityRows(scores.flat(), perDistance));
}

test.each([0, 0.3])(
  `at sensitivity %s, 95-percent intervals of E(0.1), AUC-E and excess cover the truth in ${fewest} to ${most} of ` +
    `100 runs (${runs} runs)`,
  (sensitivity) => {
    const known = truth(sensitivity);
    const covered = new Map<string, number>();
    for (let run = 0; run < runs; run += 1) {
      for (const row of oneRun(sensitivity, 1000 * sensitivity + 7 * run + 1)) {
        const { e, excess } = known[row['method'] as 'full' | 'light'];
        const expected = { e_d01: e, auc_e: (6 * e) / 9, excess_d01: excess, auc_e_excess: (6 * excess) / 9 };
        for (const [column, value] of Object.entries(expected)) {
          const holds = (row[`${column}_lo`] as number) <= value && value <= (row[`${column}_hi`] as number);
          const name = `${String(row['method'])} ${column}`;
          covered.set(name, (covered.get(name) ?? 0) + (holds ? 1 : 0));
        }
      }
    }
    if (process.env['EVENKEEL_SHOW']) process.stdout.write(`${sensitivity} ${JSON.stringify([...covered])}\n`);
    expect(covered.size).toBe(8);
    for (const [name, count] of covered) {
      expect([name, (100 * count) / runs]).toEqual([
        name,
        expect.toSatisfy((share: number) => share >= fewest && share <= most),
      ]);
    }
  },
  // 0.14 s a run on an idle machine; a slower one is no reason to fail.
  Math.max(120_000, 2_000 * runs),
);
