/** A run in batches, at an endpoint that fails in every way, gives the tables of a run without them. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { type BatchingServer, startBatchingServer } from '../../support/endpoints/batch-endpoint.ts';
import { ledgerNumber } from '../../support/ledger-look.ts';
import { stableRows } from '../../support/stable-rows.ts';

let deployment: Deployment;
let server: BatchingServer;
/** Answers that the endpoint gave to each run. */
const answers: Record<string, number> = {};

const spec = (name: string, mode: string): string => `name: ${name}
providers: { sim: { kind: openai, baseUrl: "${server.url}" } }
models:
  - { id: able, provider: sim${mode}, price: { inputUsdPerMillion: 1000, outputUsdPerMillion: 4000 } }
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 3 } } }
studies:
  - { name: samples, kind: pass, benchmark: starter, settings: { samples: 3 } }
  - { name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2, judge: none } }
`;

beforeAll(async () => {
  deployment = await openDeployment();
  server = await startBatchingServer(deployment.folder, {
    able: { ms: 300, lostCreations: 1, lostUploads: 1, cutDownloads: 1, expired: 1, lineErrors: 0.4 },
  });
  for (const [name, mode] of [
    ['called', ''],
    ['batched', ', mode: batch'],
  ] as const) {
    const before = server.answered().length;
    const end = await deployment.evenkeel('run', deployment.write(`${name}.yaml`, spec(name, mode)));
    expect(end.status, end.output).toBe(0);
    answers[name] = server.answered().length - before;
  }
}, 300_000);
afterAll(async () => {
  await server?.close();
  await deployment?.close();
});

const folder = (run: string): string => join(deployment.runsDir, run);

test('the tables are the same, and nothing was asked twice', async () => {
  // Cost differs, and so do the names of the runs.
  const rows = (run: string) => stableRows(folder(run), ['run', 'usd', 'solved_usd', 'price_date']);
  const { costs: _a, models: _b, ...batched } = await rows('batched');
  const { costs: _c, models: _d, ...called } = await rows('called');
  expect(batched).toEqual(called);
  expect(answers['batched']).toBe(answers['called']);
  expect(server.answered().some(({ batch }) => batch !== undefined)).toBe(true);
});

test('an answer in a batch costs half, one that failed in the batch its price', async () => {
  const usd = (where: string): number | null =>
    ledgerNumber(
      folder('batched'),
      `select sum(usd) / sum(1e-3 * input_tokens + 4e-3 * output_tokens) from charge join intent on
       intent.id = charge.intent where state = 'answered' and ${where}`,
    );
  expect(usd('batch is not null')).toBeCloseTo(0.5, 9);
  expect(usd('batch is null')).toBeCloseTo(1, 9);
  expect(ledgerNumber(folder('batched'), 'select reserved_nano_usd + reserved_tokens + lost from run')).toBe(0);
});

test('plan counts batches at half the price, and says what they would save', async () => {
  const planOf = async (name: string) => {
    const { stdout } = await deployment.evenkeel(
      'plan',
      join(deployment.folder, `${name}.yaml`),
      '--run',
      'x',
      '--json',
    );
    return JSON.parse(stdout) as { run: { usd: { low: number; expected: number } }; warnings: string[] };
  };
  const [called, batched] = [await planOf('called'), await planOf('batched')];
  expect(batched.run.usd.expected).toBeCloseTo(called.run.usd.expected / 2, 9);
  expect(batched.run.usd.low).toBeCloseTo(called.run.usd.low / 2, 9);
  const saved = (called.run.usd.expected / 2).toFixed(2);
  expect(called.warnings).toEqual([expect.stringContaining(`with mode: batch about $${saved} less`)]);
  expect(batched.warnings).toEqual([]);
});
