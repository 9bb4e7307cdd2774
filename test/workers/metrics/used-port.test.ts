/** `--metrics` with an address that cannot be used is refused before a run is made or anything is asked. */
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathFault } from '../../../cli/faults/path-faults.ts';
import { checkMetricsAddress } from '../../../workers/metrics/check-address.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

/** A port that another program serves, and what it was asked. */
async function usedPort() {
  const asked: string[] = [];
  const other = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return { port: (other.address() as AddressInfo).port, asked };
}

const refusal = (port: number): string =>
  `port ${port} of 127.0.0.1 is used by another program: choose another port (0 picks a free one), or stop that ` +
  'program';

// Red before: the run was made and its endpoint asked; then the command ended.
test('run refuses it, makes no run and asks no endpoint', async () => {
  const [folder, { port }, endpoint] = [temporaryFolder(), await usedPort(), await usedPort()];
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  writeFileSync(
    join(folder, 'spec.yaml'),
    `name: r
providers: { here: { kind: openai, baseUrl: "http://127.0.0.1:${endpoint.port}/v1" } }
models: [{ id: m, provider: here, price: { inputUsdPerMillion: 0, outputUsdPerMillion: 0 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny, settings: { judge: none } }]
`,
  );
  const runsDir = join(folder, 'runs');
  const env = { ...process.env, EVENKEEL_SANDBOX: 'embedded' };
  const args = ['run', join(folder, 'spec.yaml'), '--runs-dir', runsDir, '--metrics', String(port)];
  const { status, stderr } = await runCommand(args, env);
  expect([status, stderr]).toEqual([2, expect.stringContaining(refusal(port))]);
  expect(existsSync(join(runsDir, 'r'))).toBe(false);
  expect(endpoint.asked).toEqual([]);
});

// Red before: it started a Temporal server, and a sandbox, first.
test('worker refuses it before it starts a server', async () => {
  const [folder, { port }] = [temporaryFolder(), await usedPort()];
  const runsDir = join(folder, 'runs');
  const { status, stderr } = await runCommand(['worker', '--runs-dir', runsDir, '--metrics', String(port)]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(refusal(port))]);
  expect(existsSync(runsDir)).toBe(false);
});

test('a free port is free afterwards, and another machine is not a host', async () => {
  const env = { EVENKEEL_METRICS: '127.0.0.1:0' };
  await expect(checkMetricsAddress(env)).resolves.toBeUndefined();
  await expect(checkMetricsAddress({})).resolves.toBeUndefined();
  const elsewhere = await checkMetricsAddress({ EVENKEEL_METRICS: '192.0.2.1:0' }).catch((error: unknown) => error);
  expect(pathFault(elsewhere, [])?.message).toBe(
    '192.0.2.1 is not an address of this machine: name one that is, or a port only',
  );
});
