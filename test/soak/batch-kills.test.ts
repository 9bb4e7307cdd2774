/** Kills what asks in batches at every point, with and without failures of the endpoint. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BatchedRuns,
  leastPoints,
  openBatchedRuns,
  survivesKillAt,
  undisturbedTexts,
} from '../support/batches/batch-kills.ts';
import type { BatchTraitsInput } from '../support/endpoints/batch-endpoint.ts';

let runs: BatchedRuns;
let truth: Record<string, string>;

beforeAll(async () => {
  runs = await openBatchedRuns();
  truth = await undisturbedTexts(runs);
});
afterAll(() => runs?.close());

test.each<[string, BatchTraitsInput]>([
  ['a calm endpoint', { ms: 300 }],
  ['requests whose answers are lost', { lostUploads: 1, lostCreations: 1, cutDownloads: 2 }],
  ['a creation that fails', { failedCreations: 1 }],
])(
  'killed at every point: %s',
  async (name, traits) => {
    let killed = 0;
    for (let point = 1; await survivesKillAt(runs, truth, point, traits, `${name}, point ${point}`); point += 1)
      killed = point;
    expect(killed).toBeGreaterThanOrEqual(leastPoints);
  },
  3_600_000,
);
