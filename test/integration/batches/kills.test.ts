/**
 * Kills what asks in batches, at points before and after everything that it notes: some points here, newly drawn each
 * time, all of them in test/soak.
 */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import {
  type BatchedRuns,
  leastPoints,
  openBatchedRuns,
  survivesKillAt,
  undisturbedTexts,
} from '../../support/batches/batch-kills.ts';

let runs: BatchedRuns;
let truth: Record<string, string>;

beforeAll(async () => {
  runs = await openBatchedRuns();
  truth = await undisturbedTexts(runs);
});
afterAll(() => runs?.close());

test('killed at any point, a run in batches finds them again and asks nothing twice', async () => {
  const seed = Number(process.env['EVENKEEL_FAULT_SEED'] ?? randomInt(2 ** 31));
  process.stdout.write(`points come from EVENKEEL_FAULT_SEED=${seed}\n`);
  const random = uniform(seedOf('batches', seed));
  for (let count = 0; count < 4; count += 1) {
    const point = 1 + Math.floor(random() * leastPoints);
    expect(await survivesKillAt(runs, truth, point), `killed at point ${point}`).toBe(true);
  }
});
