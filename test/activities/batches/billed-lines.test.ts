/** Lines of a batch that fail although the endpoint bills them: charged by the usage that they report. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAll } from '../../support/batches/ask-all.ts';
import { allSamples, type BatchedRuns, openBatchedRuns } from '../../support/batches/batch-kills.ts';

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

const completion = {
  choices: [{ finish_reason: 'stop', message: { content: 'pass' } }],
  usage: { prompt_tokens: 10, completion_tokens: 1 },
};

/** An endpoint with one batch, which has ended at once; calls are answered as usual. */
async function serve(port: number, { status, body }: Line): Promise<() => Promise<unknown>> {
  let ids: string[] = [];
  const batch = () => ({
    ...{ id: 'batch_1', object: 'batch', status: 'completed', created_at: Math.ceil(Date.now() / 1000) },
    ...{ error_file_id: 'file_2', request_counts: { total: ids.length, completed: 0, failed: ids.length } },
  });
  const lines = (): string =>
    ids.map((id) => JSON.stringify({ custom_id: id, response: { status_code: status, body } })).join('\n');
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const path = request.url ?? '';
      const end = (answer: object): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      if (path.endsWith('/content')) return void response.writeHead(200).end(lines());
      if (path.includes('/batches')) return end(batch());
      if (!path.includes('/files')) return end(completion);
      ids = [...sent.matchAll(/"custom_id":"([0-9a-f]+)"/g)].map(([, id = '']) => id);
      end({ id: 'file_1', object: 'file', purpose: 'batch', filename: 'f', bytes: 1, created_at: 1 });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
}

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
  const close = await serve(Number(new URL(run.server.url).port), line);
  try {
    await askAll(run.runsDir, run.runId);
  } finally {
    await close();
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
  const close = await serve(Number(new URL(run.server.url).port), line);
  try {
    await askAll(run.runsDir, run.runId);
  } finally {
    await close();
  }
  const failed = "from charge join intent on intent.id = charge.intent where state = 'failed'";
  expect(run.number(`select count(*) ${failed}`)).toBe(allSamples);
  expect(run.number(`select max(usd) ${failed}`)).toBeCloseTo(cost, 12);
  expect(run.number(`select min(usd) ${failed}`)).toBeCloseTo(cost, 12);
  expect(run.number('select answered from run')).toBe(allSamples);
});
