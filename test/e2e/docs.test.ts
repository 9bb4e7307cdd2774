/**
 * Every command of README.md and docs/*.md, in a `sh` block, runs as it stands there, in one empty folder, file by file from top to bottom. What stands in for
 * the outside: `npx evenkeel` is this clone's command line, and the endpoint that the documents ask (port 8000 of this machine) is a server of simulated models.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { simulatedTask } from '../../activities/simulated-tasks.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { simulatedProfile } from '../../simulator/profile.ts';
import { type RunningSimulator, startSimulatorServer } from '../../simulator/server.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const documents = [
  'README.md',
  ...readdirSync(join(repository, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** Beginnings of commands that this test leaves out, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'npm run demo': 'test/e2e/package.test.ts runs the demo',
  'npm test': 'it is what runs this test',
  'npx evenkeel run watch/nightly.yaml': 'the spec is the reader’s own',
  'npx evenkeel schedule': 'it needs a Temporal server that lasts; test/integration/schedule.test.ts has one',
};

interface DocCommand {
  readonly document: string;
  readonly text: string;
}

/** The commands of all `sh` blocks; one that has a here-document or ends in a backslash goes on over several lines. */
function commandsOf(document: string): DocCommand[] {
  const blocks = [...readFileSync(join(repository, document), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, block = '']) =>
    [...block.matchAll(/^[^\n]*<<'EOF'\n[\s\S]*?^EOF$|^(?:[^\n]*\\\n)*[^\n]+$/gm)]
      .map(([text]) => text)
      .filter((text) => !/^\s*#/.test(text))
      .map((text) => ({ document, text })),
  );
}

const reasonOf = ({ text }: DocCommand): string | undefined =>
  Object.entries(leftOut).find(([beginning]) => text.startsWith(beginning))?.[1];
const commands = documents.flatMap(commandsOf);

let folder = '';
let endpoint: RunningSimulator;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-docs-'));
  mkdirSync(join(folder, 'bin'));
  const main = join(repository, 'cli/main.ts');
  writeFileSync(join(folder, 'bin/npx'), `#!/bin/sh\n[ "$1" = evenkeel ] || exit 64\nshift\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(join(folder, 'bin/npx'), 0o755);
  const { tasks } = await loadBenchmark({ name: 'starter', format: 'evenkeel', path: starterBenchmark, seed: 0 });
  endpoint = await startSimulatorServer({
    models: [{ name: 'strong', profile: simulatedProfile({ competence: 0.9 }) }],
    tasks: tasks.map((task) => simulatedTask(task, [])),
    port: 0,
    logFile: join(folder, 'requests.log'),
    latencyMs: 0,
  });
});

afterAll(async () => {
  await endpoint?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The example of `init` has 45 tasks for two models and takes most of a minute: eight tasks are kept. */
function shortenStarters(): void {
  for (const name of readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => /^[^/]+\/starter\.jsonl$/.test(path))) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 8).join('\n'));
  }
}

async function run(text: string): Promise<string> {
  const script = text.replaceAll('http://127.0.0.1:8000/v1', endpoint.url);
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, EVENKEEL_RUNS: undefined };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env, maxBuffer: 2 ** 26 });
  return stdout;
}

test('the documents have commands, and every reason to leave one out is needed by one', () => {
  const unused = Object.keys(leftOut).filter((beginning) => !commands.some(({ text }) => text.startsWith(beginning)));
  expect(unused).toEqual([]);
  expect(commands.filter((command) => reasonOf(command) === undefined).length).toBeGreaterThan(15);
  expect(commands.filter(({ document }) => document === 'docs/quick-start.md').length).toBeGreaterThan(8);
});

describe.each(documents.filter((document) => commandsOf(document).length > 0))('%s', (document) => {
  const own = commands.filter((command) => command.document === document);
  test.each(own.filter((command) => reasonOf(command) === undefined).map(({ text }) => [text]))('%s', async (text) => {
    await run(text);
    if (text.includes('evenkeel init')) shortenStarters();
  });
  const others = own.flatMap((command) => (reasonOf(command) === undefined ? [] : [[command.text, reasonOf(command)] as const]));
  if (others.length > 0) test.skip.each(others)('%s: not run here, since %s', () => undefined);
});
