/** A model's mode is changed while its questions are in batches: those are collected, the rest is asked by calls. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest, writeManifest } from '../../../activities/storage/manifest-file.ts';
import type { Ledger } from '../../../activities/storage/ledger/ledger.ts';
import { askAll } from '../../support/batches/ask-all.ts';
import {
  allSamples,
  type BatchedRuns,
  expectAskedOnce,
  type FreshRun,
  openBatchedRuns,
  undisturbedTexts,
} from '../../support/batches/batch-kills.ts';

let runs: BatchedRuns;
let truth: Record<string, string>;

beforeAll(async () => {
  runs = await openBatchedRuns();
  truth = await undisturbedTexts(runs);
});
afterAll(() => runs?.close());

const isAtEndpoint = async (ledger: Ledger): Promise<boolean> =>
  (await ledger.openBatches()).some(({ endpointId }) => endpointId !== null);
const isPlaced = async (ledger: Ledger): Promise<boolean> => (await ledger.batchQueues()).length > 0;

/** Asks until `stopsWhen`, is interrupted there, and gets the spec's model the mode of ordinary calls. */
async function changed(run: FreshRun, stopsWhen: (ledger: Ledger) => Promise<boolean>): Promise<void> {
  await askAll(run.runsDir, run.runId, { stopsWhen, leavesBatches: true });
  const manifest = await readManifest(run.folder);
  const { spec } = manifest;
  writeManifest(run.folder, {
    ...manifest,
    spec: { ...spec, models: spec.models.map((model) => ({ ...model, mode: 'calls' })) },
  });
}

const inBatches = (run: FreshRun): number => run.server.answered().filter(({ batch }) => batch !== undefined).length;

/** A dollar for a million tokens of the prompt, four for those of the answer. */
const priceShare = (run: FreshRun): number =>
  run.number(`select sum(usd) / sum((input_tokens + 4 * output_tokens) / 1e6) from charge`);

// Red when only the spec says whether batches are tended: the pages wait for ever.
test.each(['1', '2'])('an open batch is collected, at its price, by step %s', async (stepName) => {
  const run = await runs.fresh(`open-${stepName}`, { ms: 1_500 });
  await changed(run, isAtEndpoint);
  await askAll(run.runsDir, run.runId, { stepName });
  await expectAskedOnce(run, truth, stepName);
  expect(inBatches(run)).toBe(allSamples);
  expect(priceShare(run)).toBeCloseTo(0.5, 9);
});

test('questions that were placed and never sent are asked by calls, at their price', async () => {
  const run = await runs.fresh('placed', { ms: 1_500 });
  await changed(run, isPlaced);
  expect(run.number("select count(*) from intent where state = 'batched'")).toBe(allSamples);
  await askAll(run.runsDir, run.runId);
  await expectAskedOnce(run, truth, 'placed');
  expect([inBatches(run), run.number('select count(*) from batch')]).toEqual([0, 0]);
  expect(priceShare(run)).toBeCloseTo(1, 9);
});

test('a batch whose creation fails is not sent again: its questions are asked by calls', async () => {
  const run = await runs.fresh('not-created', { failedCreations: 100 });
  await changed(run, async (ledger) => (await ledger.openBatches()).some(({ fault }) => fault !== null));
  await askAll(run.runsDir, run.runId);
  await expectAskedOnce(run, truth, 'not-created');
  expect(inBatches(run)).toBe(0);
});

test('a refused batch does not stop the model', async () => {
  const run = await runs.fresh('refused-late', { ms: 1_500, refused: 1 });
  await changed(run, isAtEndpoint);
  await askAll(run.runsDir, run.runId);
  await expectAskedOnce(run, truth, 'refused-late');
  expect(inBatches(run)).toBe(0);
});

test('a stop cancels the batch, keeps what it answered, and the rest is asked by calls', async () => {
  const run = await runs.fresh('stopped-late', { ms: 3_000 });
  await changed(run, isAtEndpoint);
  const startedMs = Date.now();
  await askAll(run.runsDir, run.runId, { stopsWhen: async () => Date.now() - startedMs > 1_200 });
  const kept = run.server.answered().length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(allSamples);
  expect(run.number("select count(*) from intent where state = 'batched'")).toBe(0);
  await askAll(run.runsDir, run.runId);
  await expectAskedOnce(run, truth, 'stopped-late');
  expect(inBatches(run)).toBe(kept);
});
