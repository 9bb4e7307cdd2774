/** Every failure of an endpoint that takes batches: all questions are answered, and what was answered is asked once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchTexts } from '../../../cli/follow/progress-line.ts';
import { askAll } from '../../support/batches/ask-all.ts';
import {
  allSamples,
  type BatchedRuns,
  expectAskedOnce,
  type FreshRun,
  openBatchedRuns,
  undisturbedTexts,
} from '../../support/batches/batch-kills.ts';
import type { BatchTraitsInput } from '../../support/endpoints/batch-endpoint.ts';

let runs: BatchedRuns;
let truth: Record<string, string>;

beforeAll(async () => {
  runs = await openBatchedRuns();
  truth = await undisturbedTexts(runs);
});
afterAll(() => runs?.close());

async function askedAt(name: string, traits: BatchTraitsInput): Promise<FreshRun> {
  const run = await runs.fresh(name, traits);
  await askAll(run.runsDir, run.runId);
  return run;
}

const batches = (run: FreshRun): number => run.number('select count(*) from batch');
const inBatches = (run: FreshRun): number => run.server.answered().filter(({ batch }) => batch !== undefined).length;

test('all questions are one batch', async () => {
  expect(Object.keys(truth).length).toBe(allSamples);
  const run = await askedAt('whole', { ms: 400 });
  await expectAskedOnce(run, truth, 'whole');
  expect([batches(run), inBatches(run)]).toEqual([1, allSamples]);
});

test.each([
  ['a creation whose answer is lost', { lostCreations: 1 }],
  ['a creation that fails', { failedCreations: 1 }],
  ['an upload whose answer is lost', { lostUploads: 1 }],
  ['result files that are cut', { cutDownloads: 2 }],
  // Red before: the first 404 was final, and all was paid twice.
  ['looks answered with 404', { ms: 300, unknownLooks: 3 }],
  ['looks answered with 404 all along, of a batch that is listed', { lostLooks: 1_000 }],
] satisfies [string, BatchTraitsInput][])('%s: the batch is found again, and asked once', async (name, traits) => {
  const run = await askedAt(name.replaceAll(' ', '-'), traits);
  await expectAskedOnce(run, truth, name);
  expect([batches(run), inBatches(run)]).toEqual([1, allSamples]);
});

// Red before: looked at again after a tick, whatever the endpoint said. The test's clock goes 40 times as fast.
test('an endpoint that names a time is not asked about the batch before', async () => {
  const run = await runs.fresh('busy', { busyLooks: 2 });
  const beganMs = performance.now();
  await askAll(run.runsDir, run.runId);
  expect(performance.now() - beganMs).toBeGreaterThan((2 * 60_000) / 40);
  await expectAskedOnce(run, truth, 'busy');
});

// Red when a line `batch_expired` is a failed call: it is then asked at twice the price.
test('expired lines are asked in another batch, and are not failed calls', async () => {
  const run = await askedAt('expired', { expired: 1 });
  await expectAskedOnce(run, truth, 'expired');
  expect([batches(run), inBatches(run)]).toEqual([2, allSamples]);
  expect(run.number('select count(*) from failure_reason')).toBe(0);
  expect(run.number('select max(requests) from batch where id = 2')).toBe(allSamples / 2);
});

test('a batch that expires without an answer stops the model, and nothing is left reserved', async () => {
  const run = await runs.fresh('unasked', { expiredUnasked: 1 });
  await expect(askAll(run.runsDir, run.runId)).rejects.toThrow(
    /able: a batch of 12 requests expired at the endpoint without an answer, and nothing was charged/,
  );
  expect(run.number('select count(*) from intent')).toBe(0);
  expect(run.number('select reserved_nano_usd + reserved_tokens from run')).toBe(0);
});

test('lines with an error become calls', async () => {
  const run = await askedAt('errors', { lineErrors: 0.5 });
  await expectAskedOnce(run, truth, 'errors');
  const refused = run.number("select calls from failure_reason where reason like 'HTTP 500 in a batch%'");
  expect(refused).toBeGreaterThan(0);
  expect(inBatches(run)).toBe(allSamples - refused);
});

test('files that stay cut: what they have counts, the rest is charged at its most and asked again', async () => {
  const run = await askedAt('cut', { cutDownloads: 100 });
  expect(await run.texts()).toEqual(truth);
  const lost = run.number("select count(*) from intent where failure like 'cut in a batch%'");
  expect(lost).toBeGreaterThan(0);
  expect(run.server.answered().length).toBe(allSamples + lost);
  const charged = "join charge on charge.intent = intent.id where failure like 'cut in a batch%'";
  expect(run.number(`select count(*) from intent ${charged} and usd > 0 and basis = 'estimated'`)).toBe(lost);
});

// Red when a lost file stops the model: it would stop again at each resume.
test('result files that the endpoint no longer keeps: all is charged at its most and asked again', async () => {
  const run = await askedAt('lost-files', { lostFiles: 100 });
  expect(await run.texts()).toEqual(truth);
  expect(run.number("select count(*) from intent where failure like 'cut in a batch%'")).toBe(allSamples);
  expect(run.server.answered().length).toBe(2 * allSamples);
});

// Red before: nothing cancelled it, so that it was billed to its end.
test('a batch that stays unknown is cancelled; all is charged at its most and asked by calls', async () => {
  const run = await askedAt('gone', { ms: 60_000, unknownLooks: 100_000 });
  expect(await run.texts()).toEqual(truth);
  expect(run.number("select count(*) from batch where end_reason = 'gone'")).toBe(1);
  expect(run.number("select count(*) from intent where failure like 'batch unknown%'")).toBe(allSamples);
  expect(run.server.answered().length - inBatches(run)).toBe(allSamples);
  expect(inBatches(run)).toBeLessThan(allSamples / 2);
});

test('an endpoint at which too much waits gets half as many lines a batch', async () => {
  const run = await askedAt('crowded', { crowded: 1 });
  await expectAskedOnce(run, truth, 'crowded');
  expect(batches(run)).toBe(3);
  expect(run.number('select max(requests) from batch where id > 1')).toBe(allSamples / 2);
});

test('a batch that is refused stops the model in words, and nothing is left reserved', async () => {
  const run = await runs.fresh('refused', { refused: 1 });
  await expect(askAll(run.runsDir, run.runId)).rejects.toThrow(
    /able: the endpoint refused a batch of 12 requests: The model able cannot be asked in batches/,
  );
  expect(run.number('select count(*) from intent')).toBe(0);
  expect(run.number('select reserved_nano_usd + reserved_tokens from run')).toBe(0);
});

test('a price in a batch is half the price of a call', async () => {
  const run = await askedAt('price', { lineErrors: 0.5 });
  // A dollar for a million tokens of the prompt, four for those of the answer.
  const cost = '(input_tokens + 4 * output_tokens) / 1e6';
  const usd = `sum(usd) / sum(${cost}) from charge join intent on intent.id = charge.intent where state = 'answered'`;
  expect(run.number(`select ${usd} and batch is not null`)).toBeCloseTo(0.5, 9);
  expect(run.number(`select ${usd} and batch is null`)).toBeCloseTo(1, 9);
});

// The second is red when a line `batch_cancelled` is a failed call.
test.each([
  ['without', false],
  ['with', true],
])(
  'a stop cancels the batch, keeps its answers, and asks the rest later: %s lines of it',
  async (name, cancelledLines) => {
    const run = await runs.fresh(`stopped-${name}`, { ms: 2_000, cancelledLines });
    let sawMs = Infinity;
    let shown: readonly string[] = [];
    await askAll(run.runsDir, run.runId, {
      stopsWhen: async (ledger) => {
        const isThere = (await ledger.openBatches()).some(({ endpointId }) => endpointId !== null);
        if (isThere) sawMs = Math.min(sawMs, Date.now());
        shown = batchTexts(await ledger.progress());
        return Date.now() - sawMs > 1_000;
      },
    });
    expect(shown).toEqual([
      expect.stringMatching(
        /^waiting for 12 answers of able in 1 batch since [\d:]+ \(\d+ s\), [1-9]\d* ready at the endpoint$/,
      ),
    ]);
    const kept = run.server.answered().length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(allSamples);
    expect(run.number('select answered from run')).toBe(kept);
    expect(run.number("select count(*) from intent where state = 'batched'")).toBe(0);
    expect(run.number('select count(*) from failure_reason')).toBe(0);
    await askAll(run.runsDir, run.runId);
    await expectAskedOnce(run, truth, 'stopped');
    expect(inBatches(run)).toBe(allSamples);
  },
);
