/** Metrics of a real run, scraped while it stands still, compared with its ledger and its tables. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { openLedgerToLook } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { endOf } from '../../support/command.ts';
import { type Deployment, openDeployment, until } from '../../support/deployment.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../../support/endpoints/simulated-endpoint.ts';
import { type Gate, openGate } from '../../support/gate.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
let gate: Gate;

beforeAll(async () => {
  deployment = await openDeployment();
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 5);
  gate = await openGate(endpoint.url);
});
afterAll(async () => {
  await gate?.close();
  await endpoint?.close();
  await deployment?.close();
});

const specOf = (): string =>
  deployment.write(
    'counted.yaml',
    `
name: counted
providers: { sim: { kind: simulator, baseUrl: "${gate.url}", limits: { concurrency: 2 } } }
models: [{ id: a, provider: sim, model: steady }, { id: b, provider: sim, model: drifting }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 3 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2, judge: none } }]
`,
  );

/** The value of each sample, by name and labels as exposed. */
async function scrape(url: string): Promise<{ sum(name: string, ...labels: string[]): number; text: string }> {
  const text = await (await fetch(url)).text();
  const samples = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: labels.split(/,(?=\w+=)/), value: Number(value) }];
  });
  return {
    text,
    sum: (name, ...labels) =>
      samples
        .filter((sample) => sample.name === name && labels.every((label) => sample.labels.includes(label)))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

test('what a run exposes is what its ledger counts, and its own queue', async () => {
  gate.letThrough(6);
  const run = deployment.start('run', specOf(), '--no-probe', '--metrics', '0');
  await until(() => gate.isHolding(), run);
  const url = /metrics: (http:\S+)/.exec(run.output())?.[1] ?? '';
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  const ledger = async () => {
    const look = openLedgerToLook(join(deployment.runsDir, 'counted', 'ledger.sqlite'));
    try {
      return await look.progress();
    } finally {
      await look.close();
    }
  };
  // Both models' calls wait at the gate, and all programs are judged: nothing changes any more.
  for (let before = ''; ; await sleep(300)) {
    const { answered, verdicts, liveIntents } = await ledger();
    const now = JSON.stringify([answered, verdicts, liveIntents]);
    if (now === before && liveIntents === 2) break;
    before = now;
  }
  const [truth, seen] = [await ledger(), await scrape(url)];
  expect(truth.answered).toBe(6);
  expect({
    answered: seen.sum('evenkeel_calls_total', 'run="counted"', 'result="answered"'),
    inFlight: seen.sum('evenkeel_calls_in_flight', 'run="counted"'),
    timed: seen.sum('evenkeel_call_seconds_count', 'run="counted"'),
    tokens: seen.sum('evenkeel_tokens_total', 'run="counted"'),
    programs: seen.sum('evenkeel_programs_total', 'run="counted"'),
    ofTheRun: seen.sum('evenkeel_run_answers', 'run="counted"'),
  }).toEqual({
    answered: truth.answered,
    inFlight: truth.liveIntents,
    timed: truth.answered,
    tokens: truth.spend.tokens,
    programs: truth.verdicts,
    ofTheRun: truth.answered,
  });
  // Six tasks in all, two calls at once; each other call waits for the account.
  expect(seen.sum('evenkeel_calls_waiting')).toBeGreaterThan(0);
  expect(seen.sum('evenkeel_ledger_requests_total')).toBeGreaterThan(seen.sum('evenkeel_ledger_groups_total'));
  for (const name of ['owner', 'llm+sandbox+seal', 'workflow+io+seal'])
    expect(seen.sum('process_resident_memory_bytes', `process="${name}"`), name).toBeGreaterThan(50e6);
  // The Temporal SDK's own.
  expect(seen.sum('temporal_activity_task_received_total')).toBeGreaterThan(0);
  expect(seen.text.match(/^# TYPE process_resident_memory_bytes /gm)).toHaveLength(1);
  gate.open();
  expect((await endOf(run)).status).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
}, 120_000);
