/**
 * Every command of the README, CONTRIBUTING.md and docs/, in a `sh` block or a workflow for CI, runs as it stands
 * there, in one empty folder, file by file from top to bottom. What stands in for the outside: `npx evenkeel` is this
 * clone's command line, the endpoint that the documents ask (port 8000 of this machine) is a server of simulated
 * models, and the Temporal server that they name is one that lasts as long as this test.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { simulatedTask } from '../../activities/calls/simulated-tasks.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { simulatedProfile } from '../../simulator/profile.ts';
import { type RunningSimulator, startSimulatorServer } from '../../simulator/server.ts';
import { type OpenTemporal, openTemporal } from '../../workers/open-temporal.ts';
import { commandsOf, type DocCommand, documents, repository, strayCommands } from '../support/doc-commands.ts';
import { inFull, long as longTest } from '../support/forms/long.ts';

/** Commands that this test excludes, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'npm run demo': 'test/e2e/package.test.ts runs the demo',
  'npm test': 'it is what runs this test',
  'npx evenkeel record --listen 8123 --to https://api.openai.com/v1 --out replies.jsonl':
    'test/integration/replay-of-a-run.test.ts runs it; it serves until it is stopped',
  'npm run images': 'test/soak/images.test.ts builds them',
  'npm run images -- --engine podman --tag 2026-11 --base node:24-bookworm-slim':
    'test/soak/images.test.ts builds them',
  'docker compose --file deploy/compose.yaml up --detach': 'test/docs/deploy.test.ts reads the compose file',
  'docker compose --file deploy/compose.yaml run --rm evenkeel run /specs/study.yaml':
    'test/docs/deploy.test.ts reads the compose file',
  'npm install --no-save evenkeel': 'test/e2e/package.test.ts installs the package of this clone',
};
const reasonOf = ({ text }: DocCommand): string | undefined =>
  Object.entries(leftOut).find(([command]) => text.replace(/\s+#.*$/, '') === command)?.[1];
const commands = documents.flatMap(commandsOf);

let folder = '';
let endpoint: RunningSimulator;
let temporal: OpenTemporal;
/** Commands that end in `&`. */
const services: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-docs-'));
  mkdirSync(join(folder, 'bin'));
  const main = join(repository, 'cli/main.ts');
  writeFileSync(
    join(folder, 'bin/npx'),
    `#!/bin/sh\n[ "$1" = evenkeel ] || exit 64\nshift\nexec "${process.execPath}" "${main}" "$@"\n`,
  );
  chmodSync(join(folder, 'bin/npx'), 0o755);
  const { tasks } = await loadBenchmark({ name: 'starter', format: 'evenkeel', path: starterBenchmark, seed: 0 });
  endpoint = await startSimulatorServer({
    models: [{ name: 'strong', profile: simulatedProfile({ competence: 0.9 }) }],
    tasks: tasks.map((task) => simulatedTask(task, [])),
    port: 0,
    logFile: join(folder, 'requests.log'),
    latencyMs: 0,
  });
  const env = { ...process.env, TEMPORAL_ADDRESS: undefined };
  temporal = await openTemporal({
    runsDir: join(folder, 'lasting'),
    env,
    onLine: () => undefined,
    onGiveUp: () => undefined,
  });
});

afterAll(async () => {
  await Promise.all(services.map(stop));
  await endpoint?.close();
  await temporal?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** As Ctrl-C does. */
async function stop(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGINT');
  await once(service, 'exit');
}

/** The example of `init` has 45 tasks for two models and takes most of a minute: eight tasks are kept. */
function shortenStarters(): void {
  for (const name of globSync('*/starter.jsonl', { cwd: folder })) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 8).join('\n'));
  }
}

/** In the document's own shell: what one command exports, the next one sees. */
async function carryOut({ document, text }: DocCommand): Promise<void> {
  const command = text
    .replaceAll('http://127.0.0.1:8000/v1', endpoint.url)
    .replaceAll('temporal.example.org:7233', temporal.settings.address);
  const exports = join(folder, `${basename(document)}.exports`);
  const before = existsSync(exports) ? `. ${exports}\n` : '';
  const env = {
    ...{
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      EVENKEEL_RUNS: undefined,
      // As a user has it: what one document has run, the next need not run again.
      EVENKEEL_EXECUTION_CACHE: join(folder, 'executions.sqlite'),
      TEMPORAL_ADDRESS: undefined,
    },
    ...{ GITHUB_ENV: exports, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
  };
  const words = (script: string): string[] => ['-euo', 'pipefail', '-c', `${before}${script}`];
  const service = /^([^#]*[^&#\s])\s*&\s*(?:#.*)?$/.exec(command)?.[1];
  if (service !== undefined)
    services.push(
      spawn('bash', words(`exec ${service}`), { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }),
    );
  else
    await promisify(execFile)('bash', words(`${command}\nexport -p >> ${exports}`), {
      cwd: folder,
      env,
      maxBuffer: 2 ** 26,
    });
}

/** Run after a command that begins with these words. */
const seenAfter: Readonly<Record<string, () => void | Promise<void>>> = {
  'npx evenkeel init': shortenStarters,
  'npx evenkeel schedule trigger': dated,
};

/** Waits until the service has finished this minute's run and its gate: a few tasks decide nothing. */
async function dated(): Promise<void> {
  const verdict = 'data/runs/nightly-[0-9]*-[0-9]*-[0-9]*-[0-9]*/gate.md';
  while (globSync(verdict, { cwd: folder }).length === 0) await sleep(200);
  const [file = ''] = globSync(verdict, { cwd: folder });
  expect(readFileSync(join(folder, file), 'utf8')).toContain('# Gate: inconclusive');
}

test('no command is missed: other blocks hold no commands, and every excluded command exists', () => {
  expect(strayCommands()).toEqual([]);
  const unused = Object.keys(leftOut).filter((command) => !commands.some(({ text }) => text.startsWith(command)));
  expect(unused).toEqual([]);
  expect(commands.filter((command) => reasonOf(command) === undefined).length).toBeGreaterThan(30);
  expect(new Set(commands.map(({ document }) => document))).toContain('docs/quick-start.md');
});

/** Each takes half a minute or more; the verbs that they run are run by tests of their own, too. */
const long = new Set(
  ['cards', 'compare', 'cookbook', 'exchange', 'extraction', 'multiverse', 'studies/pass'].map(
    (name) => `docs/${name}.md`,
  ),
);

describe.each(documents.filter((document) => commandsOf(document).length > 0))('%s', (document) => {
  const [run, note] = long.has(document) ? [longTest, inFull] : [test, ''];
  const own = commands.filter((command) => command.document === document);
  run.each(own.filter((command) => reasonOf(command) === undefined).map((command) => [command.text, command] as const))(
    `%s${note}`,
    async (text, command) => {
      await carryOut(command);
      for (const [beginning, look] of Object.entries(seenAfter)) if (text.startsWith(beginning)) await look();
    },
  );
  const others = own.flatMap((command) =>
    reasonOf(command) === undefined ? [] : [[command.text, reasonOf(command)] as const],
  );
  if (others.length > 0) test.skip.each(others)('%s: not run here, since %s', () => undefined);
});
