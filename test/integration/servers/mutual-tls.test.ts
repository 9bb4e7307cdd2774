/** Temporal behind mutual TLS: both sides prove who they are, in commands and in the workers that they start. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { type OutsideServer, startOutsideServer } from '../../support/builds/outside-server.ts';
import { type CommandEnd, runCommand } from '../../support/command.ts';
import { certificate } from '../../support/tls/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-tls-'));
const at = (name: string): string => join(folder, name);
let temporal: OutsideServer;
let address = '';
let close = (): void => {};

beforeAll(async () => {
  certificate(folder, 'authority', 'authority');
  certificate(folder, 'other', 'other authority');
  certificate(folder, 'server', 'server', 'authority');
  certificate(folder, 'client', 'client', 'authority');
  certificate(folder, 'stranger', 'client', 'other');
  temporal = await startOutsideServer(folder);
  const [ca, key, cert] = ['authority.crt', 'server.key', 'server.crt'].map((name) => readFileSync(at(name)));
  const [host, port] = temporal.address.split(':');
  // As a load balancer in front of a cluster does.
  const before = createServer(
    { ca, key, cert, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] },
    (client) => {
      const server = connect(Number(port), host);
      pipeline(client, server, client, () => {});
    },
  );
  before.listen(0, '127.0.0.1');
  await once(before, 'listening');
  close = () => void before.close();
  address = `127.0.0.1:${(before.address() as AddressInfo).port}`;
}, 120_000);

afterAll(async () => {
  close();
  await temporal?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const own = (name: string, authority = 'authority'): Readonly<Record<string, string>> => ({
  TEMPORAL_ADDRESS: address,
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: at(`${authority}.crt`),
  TEMPORAL_TLS_CLIENT_CERT_PATH: at(`${name}.crt`),
  TEMPORAL_TLS_CLIENT_KEY_PATH: at(`${name}.key`),
});

const run = (by: Readonly<Record<string, string>>, name: string): Promise<CommandEnd> =>
  runCommand(['run', at('spec.yaml'), '--run', name, '--runs-dir', at('runs')], { ...process.env, ...by });

test('a run goes through it, and whoever cannot prove who it is gets no further, in words', async () => {
  writeFileSync(
    at('spec.yaml'),
    `name: tls
models: [{ id: m, provider: simulated, profile: { competence: 0.8 } }]
benchmarks: { b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 2 } } }
studies: [{ name: plain, kind: pass, benchmark: b, settings: { samples: 2 } }]
`,
  );
  const through = await run(own('client'), 'through');
  expect(through.status, through.output).toBe(0);
  expect(through.output).toContain(`cluster at ${address}`);
  const patience = { EVENKEEL_TEMPORAL_WAIT_MS: '3000' };
  for (const wrong of [own('stranger'), own('client', 'other')]) {
    const refused = await run({ ...wrong, ...patience }, 'refused');
    expect(refused.status, refused.output).not.toBe(0);
    expect(refused.output).toContain(address);
    expect(refused.output).not.toMatch(/unexpected failure|^ {4}at /m);
  }
});
