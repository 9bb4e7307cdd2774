/** The ledger of an interrupted run, with a damaged page: nothing is asked before it is found. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unsealLedger } from '../../../activities/storage/seals.ts';
import { type Deployment, openDeployment, until } from '../../support/deployment.ts';
import { ledgerNumber } from '../../support/ledger-look.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

let deployment: Deployment;
let server: Server;
let asked = 0;
/** Requests beyond these are held. */
let most = 3;

beforeAll(async () => {
  deployment = await openDeployment({ EVENKEEL_SANDBOX: 'embedded' });
  server = createServer((request, response) => {
    request.resume();
    asked += 1;
    if (request.url === '/v1/models') return void response.end('{}');
    if (asked <= most) response.end(completion);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
}, 300_000);
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await deployment.close();
});

const completion = JSON.stringify({
  model: 'one',
  choices: [{ finish_reason: 'stop', message: { content: 'no code' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});

function specFile(): string {
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(6)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const price = '{ inputUsdPerMillion: 1, outputUsdPerMillion: 1 }';
  return deployment.write(
    'inc.yaml',
    `
name: inc
providers: { mine: { kind: openai, baseUrl: "${url}", timeoutMs: 120000 } }
models: [{ id: one, provider: mine, price: ${price} }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1, judge: none } }]
`,
  );
}

/** Flips bits in the root of the table of answers: where its first answer lies. */
function damage(path: string): void {
  const database = new DatabaseSync(path);
  const root = Number(database.prepare("select rootpage as n from sqlite_master where name = 'reply'").get()?.['n']);
  database.close();
  const bytes = readFileSync(path);
  const at = (root - 1) * 4096 + 8;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}

// Red before: both asked, and paid, until they met the damaged page.
test('resume and run refuse it before any request, and name the only remedy', { timeout: 300_000 }, async () => {
  const spec = specFile();
  const folder = join(deployment.runsDir, 'inc');
  const first = deployment.start('run', spec);
  await until(() => asked > most && (ledgerNumber(folder, 'select count(*) from reply') ?? 0) >= 1, first);
  first.process.kill('SIGINT');
  await until(() => first.stderr().includes('in flight'), first);
  first.process.kill('SIGINT');
  expect(await first.ended, first.output()).toBe(130);
  // As after a kill of its owner, which takes no seal.
  await unsealLedger(folder);
  damage(join(folder, 'ledger.sqlite'));
  const verified = await deployment.evenkeel('verify', 'inc');
  expect([verified.status, verified.stdout]).toEqual([
    1,
    expect.stringMatching(/^problem: \S+ledger\.sqlite cannot be read: Tree \d+ page .*; restore ledger\.sqlite/),
  ]);
  [asked, most] = [0, Infinity];
  for (const command of [
    ['resume', 'inc'],
    ['run', spec],
  ]) {
    const end = await deployment.evenkeel(...command);
    expect([end.status, end.stderr]).toEqual([2, expect.stringMatching(refusal)]);
    expect(end.output).not.toContain('Continue with');
    expect(asked).toBe(0);
  }
});
const refusal = /ledger\.sqlite: database disk image is malformed \(Tree \d+ .*\); restore the run folder from a copy/;
