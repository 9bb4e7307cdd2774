/**
 * The command `simulate`: serves before its references are known, lists its models, takes a spec, reports a used port
 * at once.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { simulatedProfiles } from '../../simulator/profile.ts';
import { type Command, runCommand, startCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { assertOf, benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

/** With an empty cache: no reference is known. */
const fresh = (): NodeJS.ProcessEnv => ({
  ...process.env,
  EVENKEEL_CACHE: temporaryFolder(),
  EVENKEEL_SANDBOX: 'embedded',
});

async function served(command: Command): Promise<string> {
  onTestFinished(() => void command.process.kill('SIGTERM'));
  for (;;) {
    const url = / at (http:\S+)/.exec(command.stdout())?.[1];
    if (url !== undefined) return url;
    if (!command.isRunning()) throw new Error(command.output());
    await sleep(20);
  }
}

async function said(command: Command, text: string): Promise<void> {
  while (!command.stderr().includes(text) && command.isRunning()) await sleep(20);
  expect(command.stderr()).toContain(text);
}

const namesAt = async (url: string): Promise<string[]> =>
  ((await (await fetch(`${url}/models`)).json()) as { data: { id: string }[] }).data.map(({ id }) => id);

const specOf = (folder: string): string => {
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(2)));
  writeFileSync(
    join(folder, 'spec.yaml'),
    `name: s
providers: { here: { kind: simulator, baseUrl: "http://127.0.0.1:9/v1" } }
models:
  - { id: mine, provider: simulated, profile: { competence: 1 } }
  - { id: asked, model: weak, provider: here }
  - { id: recorded, provider: replay, file: tiny.jsonl }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, models: [mine, asked] }]
`,
  );
  return join(folder, 'spec.yaml');
};

test('--help names the models', async () => {
  const { stdout } = await runCommand(['simulate', '--help']);
  for (const name of Object.keys(simulatedProfiles)) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(name);
});

test('it serves the presets before any reference was run, and says what they are', async () => {
  const command = startCommand(['simulate', '--port', '0'], fresh());
  const url = await served(command);
  expect(command.stderr()).not.toContain('are known');
  expect(await namesAt(url)).toEqual(Object.keys(simulatedProfiles));
  await said(command, '  strong: competence 0.95, driftPerLoop 0.01, sensitivity 0.02, logprobs\n');
  await said(command, '  judge: competence 0.95, judge (noise 0.03)\n');
});

test("a spec's simulated models know its benchmark", async () => {
  const command = startCommand(['simulate', specOf(temporaryFolder()), '--port', '0'], fresh());
  const url = await served(command);
  expect(await namesAt(url)).toEqual(['mine', 'weak']);
  const [task] = tinyTasks(1);
  const assertion = task === undefined ? '' : assertOf(task);
  const content = `"""\nWrite a python function to add 1 to the given number.\n${assertion}\n"""\n`;
  const body = JSON.stringify({ model: 'mine', messages: [{ role: 'user', content }], temperature: 0 });
  const reply = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(await reply.text()).toContain('def add_1');
  await said(command, 'references and mutations of 2 tasks are known');
});

test('a used port is reported before anything else', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { status, stderr } = await runCommand(['simulate', '--port', String(port)], fresh());
  expect([status, stderr]).toEqual([2, expect.stringMatching(/is used by another program/)]);
  expect(stderr).not.toContain('references');
});
