/**
 * Known truth of the expected calibration error: its expectation at the same numbers of tasks, prompts, samples and
 * bins, by Monte Carlo written here. A task's pass probability is uniform; the model states it with a bias and noise of
 * its own, so that gaps are real and the bins' chance gaps come on top.
 *
 * `EVENKEEL_COVERAGE_RUNS=600 npx vitest run test/studies/promptse/results/calibration-coverage` holds the shares to at
 * least 93 of 100; the shorter form here leaves room for the luck of 60 runs.
 */
import { expect, test } from 'vitest';
import { calibrationEstimate, type TaskBin } from '../../../../studies/promptse/results/calibration/calibration.ts';
import { uniform } from '../../../../domain/random.ts';

const runs = Number(process.env['EVENKEEL_COVERAGE_RUNS'] ?? 60);
const fewest = runs >= 600 ? 93 : 85;
const perTask = 4 * 16;
const bins = 10;

/** Bin, confidence and whether it passed, of each sample of each task. */
function draw(
  tasks: number,
  bias: number,
  next: () => number,
): { bin: number; confidence: number; passed: boolean }[][] {
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
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / (drawn.length * perTask);
}

function truth(tasks: number, bias: number): number {
  const next = uniform(815);
  const rounds = 400;
  let sum = 0;
  for (let round = 0; round < rounds; round += 1) sum += errorOf(draw(tasks, bias, next));
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

const kinds = [5, 20, 60, 164].flatMap((tasks) => [0, 0.15].map((bias) => ({ tasks, bias })));

test.each(kinds)(
  'of $tasks tasks at a bias of $bias, 95-percent intervals of the calibration error cover its expectation in at ' +
    `least ${fewest} of 100 runs (${runs} runs)`,
  ({ tasks, bias }) => {
    const expected = truth(tasks, bias);
    let covered = 0;
    for (let run = 0; run < runs; run += 1) {
      const drawn = draw(tasks, bias, uniform(31 * run + 5));
      const found = calibrationEstimate(cellsOf(drawn), { seed: run, resamples: 400 });
      expect(found?.value).toBeCloseTo(errorOf(drawn), 12);
      const { lo, hi } = found?.interval ?? { lo: 1, hi: 0 };
      if (lo <= expected && expected <= hi) covered += 1;
    }
    if (process.env['EVENKEEL_SHOW'])
      process.stdout.write(`${tasks} ${bias} ${(100 * covered) / runs} truth ${expected}\n`);
    expect((100 * covered) / runs).toBeGreaterThanOrEqual(fewest);
  },
  120_000,
);

test('a model equally sure of every task and always right has an interval of some width; two tasks have none', () => {
  const sure = (tasks: number): TaskBin[] =>
    Array.from({ length: tasks }, (_, task) => ({ task: `T/${task}`, bin: 9, n: 16, confidence: 15.2, passed: 16 }));
  const found = calibrationEstimate(sure(20), { seed: 1 });
  expect(found?.value).toBeCloseTo(0.05, 12);
  // As many tasks as may not have been seen, 1 - 0.025^(1/20), could be as wrong as can be.
  expect(found?.interval?.hi).toBeCloseTo(0.05 + 0.95 * (1 - 0.025 ** (1 / 20)), 9);
  expect(calibrationEstimate(sure(2), { seed: 1 })?.interval).toBeNull();
  // So could they where the tasks that were seen differ a little.
  const nearly = sure(20).map((one, task) => ({ ...one, confidence: one.confidence + 0.01 * (task % 2) }));
  expect(calibrationEstimate(nearly, { seed: 1 })?.interval?.hi).toBeGreaterThanOrEqual(0.19);
});
