/** Two commands with different keys on one runs directory: each run is paid with its own. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import { endOf, startCommand } from '../support/command.ts';
import { type Deployment, openDeployment, until } from '../support/deployment.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../support/endpoints/simulated-endpoint.ts';
import { type Gate, openGate } from '../support/gate.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
let gate: Gate;

beforeAll(async () => {
  deployment = await openDeployment();
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 0);
  gate = await openGate(endpoint.url);
});
afterAll(async () => {
  await gate?.close();
  await endpoint?.close();
  await deployment?.close();
});

/** An endpoint that notes the key of every request and lets the simulated one answer. */
async function noteKeys(): Promise<{ url: string; keys: string[]; close: () => void }> {
  const keys: string[] = [];
  const noted = ({ authorization = 'none' }: IncomingHttpHeaders): void => void keys.push(authorization);
  const answer = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    noted(from.headers);
    const body = from.method === 'POST' ? await buffer(from) : null;
    const { origin } = new URL(endpoint.url);
    const answered = await fetch(`${origin}${from.url}`, {
      method: from.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      body,
    });
    to.writeHead(answered.status, { 'content-type': 'application/json' });
    to.end(await answered.text());
  };
  const server = createServer((from, to) => void answer(from, to));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, keys, close: () => void server.close() };
}

const specOf = (name: string, provider: string, tasks: number): string =>
  deployment.write(
    `${name}.yaml`,
    `
name: ${name}
providers: { account: ${provider} }
models: [{ id: steady, provider: account, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: ${tasks} } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2, judge: none, maxTokens: 300 } }]
`,
  );

test.each([
  ['another key', { STUDY_KEY: 'key-of-the-first' }],
  ['no key', {}],
])(
  'a command pays with its own key while another runs that has %s',
  async (_, firstHas) => {
    const noting = await noteKeys();
    const { STUDY_KEY: _none, ...without } = process.env;
    const env = { ...without, EVENKEEL_RUNS: deployment.runsDir };
    const name = 'STUDY_KEY' in firstHas ? 'other' : 'none';
    gate.letThrough(1);
    // The first run waits at the gate, and its workers have places left: red before, they made the second run's calls.
    const first = startCommand(
      [
        'run',
        specOf(`first-${name}`, `{ kind: simulator, baseUrl: "${gate.url}", limits: { concurrency: 4 } }`, 2),
      ].concat('--no-probe'),
      { ...env, ...firstHas },
    );
    await until(() => gate.isHolding(), first);
    const spec = specOf(`second-${name}`, `{ kind: openai, baseUrl: "${noting.url}", apiKeyEnv: STUDY_KEY }`, 12);
    const second = await endOf(startCommand(['run', spec], { ...env, STUDY_KEY: 'key-of-the-second' }));
    expect(second.status, second.output).toBe(0);
    expect(noting.keys.length).toBeGreaterThan(24);
    expect(new Set(noting.keys)).toEqual(new Set(['Bearer key-of-the-second']));
    gate.open();
    expect(await first.ended, first.output()).toBe(0);
    noting.close();
  },
  300_000,
);
