/**
 * The light excess of models whose answers do not depend on wording is 0 on average however few their answers are, and
 * of those whose answers do it is what plain arithmetic gives.
 *
 * `EVENKEEL_COVERAGE_RUNS=2000 npx vitest run test/studies/promptse/results/excess-by-chance` measures more runs.
 */
import { expect, test } from 'vitest';
import { uniform } from '../../../../domain/random.ts';
import { boundedMeanInterval } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { elasticityRows } from '../../../../studies/promptse/results/elasticity/elasticity-rows.ts';
import { elasticityValues } from '../../../../studies/promptse/results/elasticity/elasticity-values.ts';

const runs = Number(process.env['EVENKEEL_COVERAGE_RUNS'] ?? 40);
const tasks = 60;
const perDistance = 3;
const bounds: Interval = { lo: -2 / 3, hi: 2 / 3 };

interface Design {
  readonly samples: number;
  readonly repetitions: number;
}
const designs: readonly Design[] = [
  { samples: 1, repetitions: 3 },
  { samples: 4, repetitions: 2 },
  { samples: 4, repetitions: 3 },
  { samples: 16, repetitions: 3 },
];

const own = { run: 'r', study: 's', model: 'm', benchmark: 'b', language: 'python', setting: 'default' };

function scoreRow(variant: string, repetition: number, samples: number, passed: number): Row {
  const distance = variant === 'original' ? null : Number(variant.slice(1, 4));
  return {
    ...{ ...own, variant, repetition, distance, n_samples: samples, n_passed: passed, n_without_logprobs: samples },
    ...{ light_samples: samples, light_passed: passed, pass_rate: passed / samples, soft_exec: null, simulated: true },
  };
}

/** Each task's excess in one study: answers pass with chance `p`, those to variants with chance `q`. */
function excesses({ samples, repetitions }: Design, [p, q]: readonly [number, number], next: () => number): number[] {
  const passes = (chance: number): number => Array.from({ length: samples }, next).filter((one) => one < chance).length;
  const rows = Array.from({ length: tasks }, (_, task) =>
    [
      ...Array.from({ length: repetitions }, (_, time) => scoreRow('original', time, samples, passes(p))),
      ...[0.1, 0.2, 0.3].flatMap((distance) =>
        Array.from({ length: perDistance }, (_, index) => scoreRow(`d${distance}-${index}`, 0, samples, passes(q))),
      ),
    ].map((row): Row => ({ ...row, task_id: `T/${task}` })),
  );
  const light = elasticityRows(rows.flat(), perDistance).filter(({ method }) => method === 'light');
  return [...elasticityValues(light).excess.values()];
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Over many studies: the mean excess with its standard error, and the shares of intervals below and above 0. */
function measured(design: Design, chances: readonly [number, number], seed: number) {
  const next = uniform(seed);
  const means: number[] = [];
  let [below, above] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const values = excesses(design, chances, next);
    const interval = boundedMeanInterval(values, bounds) as Interval;
    means.push(mean(values));
    below += interval.hi < 0 ? 1 : 0;
    above += interval.lo > 0 ? 1 : 0;
  }
  const excess = mean(means);
  const error = Math.sqrt(mean(means.map((one) => (one - excess) ** 2)) / (runs - 1));
  const found = { excess, error, below: below / runs, above: above / runs };
  if (process.env['EVENKEEL_SHOW']) process.stdout.write(`${JSON.stringify({ ...design, chances, ...found })}\n`);
  return found;
}

test.each(designs)(
  'samples $samples, repetitions $repetitions: wording without effect has an excess of 0',
  (design) => {
    for (const [place, p] of [0.5, 0.8, 0.9, 0.98].entries()) {
      const { excess, error, below, above } = measured(design, [p, p], 100 * design.samples + place + 1);
      expect(Math.abs(excess), `mean excess at ${p}`).toBeLessThan(3.5 * error);
      expect(below + above, `intervals without 0 at ${p}`).toBeLessThanOrEqual(0.07);
    }
  },
);

test('a fall of the pass rate from 0.9 to 0.7 by wording is found; with one answer a prompt it is 0.32/3', () => {
  for (const [place, design] of designs.entries()) {
    const { below, above } = measured(design, [0.9, 0.7], place + 1);
    expect([above, below], JSON.stringify(design)).toEqual([0, expect.toSatisfy((share: number) => share > 0.8)]);
  }
  // Two answers differ by 0.9 * 0.3 + 0.1 * 0.7 with other wording, by 2 * 0.9 * 0.1 without: 0.16 more, times 2/3.
  const { excess, error } = measured({ samples: 1, repetitions: 3 }, [0.9, 0.7], 71);
  expect(Math.abs(excess + (2 / 3) * 0.16)).toBeLessThan(3.5 * error);
});
