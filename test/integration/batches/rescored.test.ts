/** Replies of batches are judged again like those of calls: nothing is asked, and nothing waits for a batch. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { type BatchingServer, startBatchingServer } from '../../support/endpoints/batch-endpoint.ts';
import { ledgerNumber } from '../../support/ledger-look.ts';
import { stableRows } from '../../support/stable-rows.ts';

let deployment: Deployment;
let server: BatchingServer;

const spec = (name: string, mode: string): string => `name: ${name}
providers: { sim: { kind: openai, baseUrl: "${server.url}" } }
models:
  - { id: able, provider: sim${mode}, price: { inputUsdPerMillion: 1000, outputUsdPerMillion: 4000 } }
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 3 } } }
studies: [{ name: samples, kind: pass, benchmark: starter, settings: { samples: 2 } }]
`;

beforeAll(async () => {
  deployment = await openDeployment();
  server = await startBatchingServer(deployment.folder, { able: { ms: 100 } });
}, 300_000);
afterAll(async () => {
  await server?.close();
  await deployment?.close();
});

// Red before: it waited for a batch that the recording cannot take, and ended with 3; so did each resume.
test('a run in batches that is judged again has the tables of one in calls', async () => {
  for (const [name, mode] of [
    ['called', ''],
    ['batched', ', mode: batch, batchPriceShare: 0.4'],
  ] as const) {
    const end = await deployment.evenkeel('run', deployment.write(`${name}.yaml`, spec(name, mode)));
    expect(end.status, end.output).toBe(0);
    const asked = server.answered().length;
    const judged = await deployment.evenkeel('rescore', name, '--extraction', 'strict');
    expect(judged.status, judged.output).toBe(0);
    expect(server.answered().length).toBe(asked);
  }
  const folder = (name: string): string => join(deployment.runsDir, `${name}-strict`);
  expect(ledgerNumber(join(deployment.runsDir, 'batched'), 'select count(*) from batch')).toBe(1);
  const [called, batched] = await Promise.all(['called', 'batched'].map((name) => stableRows(folder(name), ['run'])));
  expect(batched).toEqual(called);
  expect(batched?.['samples']).toHaveLength(6);
});
