/** Lines of a batch that fail although the endpoint bills them: charged by the usage that they report. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAll } from '../../support/batches/ask-all.ts';
import { allSamples, type BatchedRuns, openBatchedRuns } from '../../support/batches/batch-kills.ts';
import {
  batchLine,
  completion,
  type OneBatchEndpoint,
  serveOneBatch,
} from '../../support/endpoints/one-batch-endpoint.ts';

let runs: BatchedRuns;
beforeAll(async () => {
  runs = await openBatchedRuns();
});
afterAll(() => runs?.close());

/** How an endpoint answers every line of a batch. */
interface Line {
  readonly status: number;
  readonly body: object;
}

const serve = (url: string, { status, body }: Line): Promise<OneBatchEndpoint> =>
  serveOneBatch(Number(new URL(url).port), {
    counts: { total: allSamples, completed: 0, failed: allSamples },
    error: (ids) => ids.map((id) => batchLine(id, status, body)).join('\n'),
  });

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const error = { message: 'late', code: 502 };
/** A dollar for a million tokens of the prompt, four for those of the answer, and half of that in a batch. */
const usd = (0.5 * (100 + 4 * 20)) / 1e6;

const dear = { ...usage, completion_tokens: 50_000 };

// Red before: only answers of single calls were looked at.
test.each<[string, Line]>([
  ['that fails', { status: 504, body: { error, usage: dear } }],
  ['that is answered', { status: 200, body: { ...completion, usage: dear } }],
])('a line %s and costs more than its request allows is noted', async (name, line) => {
  const run = await runs.fresh(`dear-${name.replaceAll(/\W+/g, '-')}`, {});
  await run.server.close();
  const endpoint = await serve(run.server.url, line);
  try {
    await askAll(run.runsDir, run.runId);
  } finally {
    await endpoint.close();
  }
  expect(run.number("select count(*) from fact where name like 'overrun/%'")).toBe(1);
});

// Red when only a line's status says what it cost.
test.each<[string, number, Line]>([
  ['with a usage', usd, { status: 504, body: { error, usage } }],
  ['behind a 200, with a usage', usd, { status: 200, body: { error, usage } }],
  ['without a usage', 0, { status: 504, body: { error } }],
])('a line that fails %s costs $%f', async (name, cost, line) => {
  const run = await runs.fresh(name.replaceAll(/\W+/g, '-'), {});
  await run.server.close();
  const endpoint = await serve(run.server.url, line);
  try {
    await askAll(run.runsDir, run.runId);
  } finally {
    await endpoint.close();
  }
  const failed = "from charge join intent on intent.id = charge.intent where state = 'failed'";
  expect(run.number(`select count(*) ${failed}`)).toBe(allSamples);
  expect(run.number(`select max(usd) ${failed}`)).toBeCloseTo(cost, 12);
  expect(run.number(`select min(usd) ${failed}`)).toBeCloseTo(cost, 12);
  expect(run.number('select answered from run')).toBe(allSamples);
});
