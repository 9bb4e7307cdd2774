/**
 * Known truth of the expected calibration error: its expectation at the same numbers of tasks, prompts, samples and bins, by Monte Carlo
 * written here. A task's pass probability is uniform; the model states it with a bias and noise of its own, so that gaps are real and the
 * bins' chance gaps come on top.
 *
 * `EVENKEEL_COVERAGE_RUNS=600 npx vitest run test/domain/metrics/calibration-coverage` holds the shares to 90 to 99 of 100; the shorter form
 * here leaves room for the luck of 60 runs.
 */
import { expect, test } from 'vitest';
import { calibrationEstimate, type TaskBin } from '../../../domain/metrics/calibration.ts';
import { uniform } from '../../../domain/random.ts';

const runs = Number(process.env['EVENKEEL_COVERAGE_RUNS'] ?? 60);
const [fewest, most] = runs >= 600 ? [90, 99] : [85, 100];
const tasks = 80;
const perTask = 4 * 16;
const bins = 10;

/** Bin, confidence and whether it passed, of each sample of each task. */
function draw(bias: number, next: () => number): { bin: number; confidence: number; passed: boolean }[][] {
  return Array.from({ length: tasks }, () => {
    const p = next();
    return Array.from({ length: perTask }, () => {
      const confidence = Math.min(1, Math.max(0, p + bias + 0.3 * (next() - 0.5)));
      return { bin: Math.min(bins - 1, Math.floor(confidence * bins)), confidence, passed: next() < p };
    });
  });
}

/** The test's own estimator. */
function errorOf(drawn: ReturnType<typeof draw>): number {
  const gaps = Array.from({ length: bins }, () => 0);
  for (const { bin, confidence, passed } of drawn.flat()) gaps[bin] = (gaps[bin] ?? 0) + (passed ? 1 : 0) - confidence;
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / (tasks * perTask);
}

function truth(bias: number): number {
  const next = uniform(815);
  const rounds = 1_000;
  let sum = 0;
  for (let round = 0; round < rounds; round += 1) sum += errorOf(draw(bias, next));
  return sum / rounds;
}

const cellsOf = (drawn: ReturnType<typeof draw>): TaskBin[] =>
  drawn.flatMap((samples, task) =>
    [...Map.groupBy(samples, ({ bin }) => bin)].map(([bin, own]) => ({
      ...{ task: `T/${task}`, bin, n: own.length },
      confidence: own.reduce((sum, { confidence }) => sum + confidence, 0),
      passed: own.filter(({ passed }) => passed).length,
    })),
  );

test.each([0, 0.15])(
  `at a bias of %s, 95-percent intervals of the calibration error cover its expectation in ${fewest} to ${most} of 100 runs (${runs} runs)`,
  (bias) => {
    const expected = truth(bias);
    let covered = 0;
    for (let run = 0; run < runs; run += 1) {
      const drawn = draw(bias, uniform(31 * run + 5));
      const found = calibrationEstimate(cellsOf(drawn), { seed: run, resamples: 400 });
      expect(found?.value).toBeCloseTo(errorOf(drawn), 12);
      const { lo, hi } = found?.interval ?? { lo: 1, hi: 0 };
      if (lo <= expected && expected <= hi) covered += 1;
    }
    if (process.env['EVENKEEL_SHOW']) process.stdout.write(`${bias} ${(100 * covered) / runs} truth ${expected}\n`);
    expect((100 * covered) / runs).toSatisfy((share: number) => share >= fewest && share <= most);
  },
  120_000,
);
