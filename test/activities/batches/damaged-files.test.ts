/** Result files of batches that are not whole, at endpoints whose counts do not say so. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAll } from '../../support/batches/ask-all.ts';
import { allSamples, type BatchedRuns, openBatchedRuns } from '../../support/batches/batch-kills.ts';
import {
  type BatchedRequest,
  batchLine,
  type BatchFile,
  completion,
  type OneBatch,
  serveOneBatch,
} from '../../support/endpoints/one-batch-endpoint.ts';

let runs: BatchedRuns;
beforeAll(async () => {
  runs = await openBatchedRuns();
});
afterAll(() => runs?.close());

const lines = (ids: readonly string[], status = 200): string[] => ids.map((id) => batchLine(id, status, completion));
const whole: BatchFile = (ids) => `${lines(ids).join('\n')}\n`;
/** Five lines and the half of the sixth. */
const inALine: BatchFile = (ids) => `${lines(ids.slice(0, 5)).join('\n')}\n${lines(ids)[5]?.slice(0, 90)}`;
const afterALine: BatchFile = (ids) => whole(ids.slice(0, 5), 1);
const brokenWithin: BatchFile = (ids) =>
  lines(ids)
    .map((line, at) => (at === 5 ? line.slice(0, 90) : line))
    .join('\n');
const once =
  (file: BatchFile): BatchFile =>
  (ids, download) =>
    (download === 1 ? file : whole)(ids, download);

/** How often its file is asked for, and what becomes of the lines that it does not have. */
interface Expected {
  readonly downloads: number;
  readonly lost?: number;
  readonly leftOut?: number;
}

async function expectCollected(name: string, batch: OneBatch, expected: Expected): Promise<void> {
  const { downloads, lost = 0, leftOut = 0 } = expected;
  const run = await runs.fresh(name.replaceAll(/\W+/g, '-'), {});
  await run.server.close();
  const endpoint = await serveOneBatch(Number(new URL(run.server.url).port), batch);
  try {
    await askAll(run.runsDir, run.runId);
  } finally {
    await endpoint.close();
  }
  const charges = 'select count(*) from intent join charge on charge.intent = intent.id where';
  const failed = (reason: string, charge: string): number =>
    run.number(`${charges} failure like '${reason}%' and ${charge}`);
  expect(failed('cut in a batch', "usd > 0 and basis = 'estimated'")).toBe(lost);
  expect(failed('cut in a batch', 'usd = 0')).toBe(0);
  expect(failed('left out of a batch', 'usd = 0')).toBe(leftOut);
  expect(failed('left out of a batch', 'tokens = 0')).toBe(leftOut);
  const counted = endpoint.requests().filter((request) => {
    const ofCall = `intent.id = (select min(intent) from asked join call on call.id = call
      where call_key = x'${request.custom_id}')`;
    return (
      run.number(`${charges} failure like 'cut in a batch%' and tokens = ${mostTokens(request)} and ${ofCall}`) > 0
    );
  });
  expect(counted).toHaveLength(lost);
  expect(endpoint.downloads()).toBe(downloads);
  expect(endpoint.calls()).toBe(run.number("select count(*) from intent where state = 'failed'"));
  expect(run.number('select answered from run')).toBe(allSamples);
  expect(run.number('select count(*) from batch')).toBe(1);
}

/** Most tokens of a request: one for each byte, 32 for each message, 512 and the answer, with 16 for marks. */
const mostTokens = ({ body }: BatchedRequest): number =>
  body.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + 32, 512 + body.max_tokens + 16);

const silent = { total: allSamples, completed: 0, failed: 0 };

// Red when only the endpoint's counts say that a file is cut: lines are paid again, and the first time is not charged.
// Red before: the lost lines counted as no tokens, so that a budget in tokens was exceeded.
test.each<[string, OneBatch, Expected]>([
  ['cut in a line once', { output: once(inALine) }, { downloads: 2 }],
  ['cut in a line once, counts of 0', { output: once(inALine), counts: silent }, { downloads: 2 }],
  ['cut in a line each time', { output: inALine }, { downloads: 3, lost: 7 }],
  ['cut in a line each time, of an expired batch', { output: inALine, status: 'expired' }, { downloads: 3, lost: 7 }],
  ['cut in a line each time, of a cancelled one', { output: inALine, status: 'cancelled' }, { downloads: 3, lost: 7 }],
  ['cut after a line once', { output: once(afterALine) }, { downloads: 2 }],
  ['cut after a line once, of an expired batch', { output: once(afterALine), status: 'expired' }, { downloads: 2 }],
  ['broken within once', { output: once(brokenWithin) }, { downloads: 2 }],
  ['broken within each time', { output: brokenWithin }, { downloads: 3, lost: 1 }],
  ['empty', { output: () => '' }, { downloads: 3, lost: 12 }],
  ['gone', { output: () => null }, { downloads: 3, lost: 12 }],
])('a file is %s', expectCollected);

// Red when a file of errors is not looked at.
test('a file of errors is cut in a line each time', async () => {
  const output: BatchFile = (ids) => whole(ids.slice(0, 6), 1);
  const error: BatchFile = (ids) => lines(ids.slice(6), 500).join('\n').slice(0, -9);
  await expectCollected('errors', { output, error }, { downloads: 3, lost: 1 });
});

// Red when a file is asked for again although nothing speaks for it, or when lines without a result are charged.
test.each<[string, OneBatch, Expected]>([
  ['whole, without a last line break', { output: (ids) => lines(ids).join('\n') }, { downloads: 1 }],
  ['whole, with a last line that is not JSON', { output: (ids) => `${whole(ids, 1)}[DONE]` }, { downloads: 1 }],
  ['without some lines each time', { output: afterALine }, { downloads: 2, leftOut: 7 }],
])('a file is %s', expectCollected);
