/** A command's output passes completely through a slow pipe, and ends quietly when the reader has gone. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planRun } from '../../activities/runs/plan-run.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { writeSampleRun } from '../analysis/sample-run.ts';
import { inFull, long } from '../support/forms/long.ts';
import { nodeOf } from '../support/nodes.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-pipes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const runs = join(folder, 'runs');
const program = join(import.meta.dirname, '../../bin/evenkeel.mjs');
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const manyModels = Array.from({ length: 540 }, (_, index) => `model-${index}`);

beforeAll(async () => {
  const every = manyModels.map((id) => ({ id, family: null, simulated: true, first: 0.9, later: 0.8 }));
  const models = every.slice(0, 100);
  const sample = { runId: 'sample', models, tasks: 20, maxLoops: 2, judge: null, withAsl: false, missing: 0 };
  await writeSampleRun(folderOf('sample'), sample);
  const damaged = folderOf('damaged');
  await writeSampleRun(damaged, { ...sample, runId: 'damaged', models: every.slice(0, 300), tasks: 2 });
  // Each file that is missing is a line.
  for (const table of readdirSync(damaged, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    rmSync(join(damaged, table.name), { recursive: true });
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(2)));
  const listed = manyModels.map((id) => `  - { id: ${id}, provider: simulated }\n`).join('');
  writeFileSync(
    join(folder, 'many.yaml'),
    `name: many\nmodels:\n${listed}benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }\n` +
      'studies: [{ name: loops, kind: evaloop, benchmark: tiny }]\n',
  );
  const file = await readSpecFile(join(folder, 'many.yaml'));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  const { ledger } = await planRun({ ...file, runsDir: runs, runId: 'many', sandbox });
  await ledger.close();
});

const folderOf = (run: string): string => {
  mkdirSync(join(runs, run), { recursive: true });
  return join(runs, run);
};

/** Waits until the pipe is full, then takes 256 KiB at a time with a rest after each. */
const slowReader = `
  const { createHash } = require('node:crypto');
  const hash = createHash('sha256');
  let bytes = 0;
  process.stdin.pause();
  setTimeout(async () => {
    for await (const chunk of process.stdin) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    process.stdout.write(JSON.stringify({ bytes, sha256: hash.digest('hex') }));
  }, 1500);`;

const shell = (script: string) =>
  spawnSync('bash', ['-c', `set -o pipefail; ${script}`], {
    encoding: 'utf8',
    env: { ...process.env, EVENKEEL_RUNS: runs, EVENKEEL_SANDBOX: 'embedded' },
    maxBuffer: 1 << 28,
  });

/** The same command with a fast reader. */
function written(command: string): { readonly bytes: number; readonly sha256: string } {
  const file = join(folder, 'out');
  shell(`${command} | cat > ${quoted(file)}`);
  const bytes = readFileSync(file);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const read = (command: string): unknown =>
  JSON.parse(shell(`${command} | ${quoted(process.execPath)} -e ${quoted(slowReader)}`).stdout || 'null');

const pipeHolds = 65_536;
const evenkeel = (node: string, ...args: readonly string[]): string => [node, program, ...args].map(quoted).join(' ');
const rows = 'select * from calls limit 1500';

describe('every verb with long output, read slowly', () => {
  const commands: [string, string[]][] = [
    ['query as text', ['query', 'sample', rows]],
    ['query as JSON', ['query', 'sample', rows, '--json']],
    ['query --shell-sql', ['query', 'sample', '--shell-sql']],
    ['plan --all', ['plan', join(folder, 'many.yaml'), '--all']],
    ['status', ['status', 'many']],
    ['status as JSON', ['status', 'many', '--json']],
    ['verify', ['verify', 'damaged']],
    ['verify as JSON', ['verify', 'damaged', '--json']],
  ];
  const slowCommands: [string, string[]][] = [
    ['plan as JSON', ['plan', join(folder, 'many.yaml'), '--json']],
    ['report to /dev/stdout', ['report', 'sample', '--format', 'json', '--out', '/dev/stdout']],
  ];

  const passesWhole = (_what: string, args: readonly string[]): void => {
    const command = evenkeel(process.execPath, ...args);
    const whole = written(command);
    expect(whole.bytes).toBeGreaterThan(pipeHolds);
    expect(read(command)).toEqual(whole);
  };
  test.each(commands)('%s', passesWhole);
  long.each(slowCommands)(`%s${inFull}`, passesWhole);
});

describe('50 MB, read slowly', () => {
  const nodes = [process.versions.node, '22.18.0', '20.19.5'].map((version) => [`Node ${version}`, version] as const);
  test.for(nodes)('%s', ([, version], { skip }) => {
    const node = version === process.versions.node ? process.execPath : nodeOf(version);
    if (node === null) return skip('that Node cannot be downloaded from the npm registry here');
    const command = evenkeel(
      node,
      'query',
      'sample',
      "select i, repeat('x', 1000) as text from range(50000) t(i)",
      '--json',
    );
    const whole = written(command);
    expect(whole.bytes).toBeGreaterThan(50_000_000);
    expect(read(command)).toEqual(whole);
  });
});

describe('a reader that closes the pipe', () => {
  test.each([
    ['query', ['query', 'sample', rows]],
    ['plan --all', ['plan', join(folder, 'many.yaml'), '--all']],
    ['report to /dev/stdout', ['report', 'sample', '--format', 'json', '--out', '/dev/stdout']],
    ['--help', ['--help']],
  ])('%s ends quietly', (_what, args) => {
    const { stdout, stderr } = shell(`${evenkeel(process.execPath, ...args)} | head -c 1; echo " \${PIPESTATUS[0]}"`);
    expect([stdout.slice(1).trim(), stderr]).toEqual(['0', '']);
  });
});

// Red before: a script got exit status 0 and an empty file.
test('a run whose document cannot be written ends with 2, and says why', () => {
  const { status, stderr } = shell(`${evenkeel(process.execPath, 'resume', 'sample', '--json')} > /dev/full`);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^standard output {2}the disk is full/m)]);
});
