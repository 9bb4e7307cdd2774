/**
 * The package as users get it: packed, installed in an empty folder elsewhere, run by the oldest Node that it
 * supports and by Node 24.
 */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, type TestContext, test } from 'vitest';
import { describeEngine, findPyodide } from '../../activities/sandboxes/embedded/embedded-command.ts';
import { inFull, long } from '../support/forms/long.ts';

const root = join(import.meta.dirname, '../..');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'evenkeel-package-')));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const end = (command: string, args: readonly string[], cwd: string, env = process.env): SpawnSyncReturns<string> =>
  spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

interface Packed {
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

function pack(): Packed {
  const { status, stdout, stderr } = end('npm', ['pack', '--json', '--pack-destination', folder], root);
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  // The build's own output comes first.
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as Packed[];
  if (packed === undefined) throw new Error(`npm pack made nothing:\n${stdout}`);
  return packed;
}

/** Null if packages cannot be downloaded. */
function install(packed: Packed): string | null {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const args = [
    'install',
    '--prefer-offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    join(folder, packed.filename),
  ];
  const { status, stderr } = end('npm', args, project);
  if (status === 0) return project;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(stderr)) return null;
  throw new Error(`npm install failed:\n${stderr}`);
}

const oldest = '22.18.0';

/**
 * Null if it cannot be downloaded. `node` itself is fetched by an install script, which some users' settings forbid.
 */
function oldestNode(): string | null {
  const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  const name = isKnown ? `node-linux-${process.arch}` : 'node';
  const { status, stdout } = end(
    'npx',
    ['-y', '-p', `${name}@${oldest}`, '--', 'node', '-p', 'process.execPath'],
    folder,
  );
  const path = stdout.trim().split('\n').at(-1) ?? '';
  return status === 0 && existsSync(path) ? path : null;
}

const packed = pack();
const project = install(packed);
const nodes = [
  [`Node ${process.versions.node}`, process.execPath],
  [`Node ${oldest}`, oldestNode()],
] as const;

describe('what is in the package', () => {
  test('the program, what it reads, README and licence; nothing else, and less than 1.5 megabytes', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['bin/evenkeel.mjs', 'dist/cli/main.js', 'dist/schemas/spec.schema.json', 'LICENSE']),
    );
    const rooms = 'activities|analysis|cli|data|domain|sandbox|schemas|simulator|studies|workers|workflows';
    const known = new RegExp(
      `^(LICENSE|README\\.md|package\\.json|bin/\\w+\\.mjs|dist/built-from\\.txt|dist/(${rooms})/.+)$`,
    );
    expect(
      paths.filter((path) => !known.test(path) || /\.ts$|\.test\.|\.sqlite|\.parquet|^dist\/data\/runs\//.test(path)),
    ).toEqual([]);
    expect(packed.size).toBeLessThan(1_500_000);
  });

  test.skipIf(project === null)(
    'no file names a folder of the machine that packed it (skipped where packages cannot be downloaded)',
    () => {
      const program = join(project as string, 'node_modules', 'evenkeel');
      const files = readdirSync(program, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(files.length).toBe(packed.files.length);
      const naming = files.filter(({ parentPath, name }) => {
        const text = readFileSync(join(parentPath, name), 'latin1');
        return [root, homedir()].some((path) => text.includes(`${path}/`));
      });
      expect(naming.map(({ name }) => name)).toEqual([]);
    },
  );

  test("its embedded sandbox equals the clone's, so that a run can continue in either", async () => {
    const built = join(root, 'dist/activities/sandboxes/embedded/embedded-command.js');
    const { describeEngine: describeBuilt } = (await import(built)) as {
      readonly describeEngine: typeof describeEngine;
    };
    expect(describeBuilt(findPyodide())).toEqual(describeEngine(findPyodide()));
  });

  test('engines names the oldest Node that is tested here', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
    expect(`${engines.node}.0`).toBe(`>=${oldest}`);
  });
});

const tinySpec = `name: tiny
models: [{ id: sim, provider: simulated, profile: drifting }]
benchmarks: { starter: { format: evenkeel, path: starter.jsonl, tasks: { limit: 2 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2 } }]
`;

/** `npx evenkeel` in the project, under a Node. */
function evenkeel(node: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const path = dirname(node) + delimiter + String(process.env['PATH']);
  return end('npx', ['evenkeel', ...args], project as string, {
    ...process.env,
    PATH: path,
    EVENKEEL_RUNS: runsOf(node),
  });
}

const runsOf = (node: string): string => join(folder, `runs${nodes.findIndex(([, path]) => path === node)}`);

describe('installed (skipped where packages, or that Node, cannot be downloaded)', () => {
  const startsHere = ([name, node]: (typeof nodes)[number], { skip }: Pick<TestContext, 'skip'>): void => {
    if (project === null || node === null) {
      skip('it cannot be downloaded');
      return;
    }
    expect(`Node ${end(node, ['-p', 'process.versions.node'], folder).stdout.trim()}`).toBe(name);
    const study = name.replace(' ', '-');
    expect(evenkeel(node, 'init', study).status).toBe(0);
    writeFileSync(join(project, study, 'tiny.yaml'), tinySpec);
    const planned = evenkeel(node, 'plan', join(study, 'evaloop.yaml'), '--json');
    expect(planned.status, planned.stderr).toBe(0);
    expect(JSON.parse(planned.stdout)).toMatchObject({
      lanes: ['study', 'judge', 'study', 'judge'].map((role) => ({ role, cells: 45 })),
    });
    const run = evenkeel(node, 'run', join(study, 'tiny.yaml'), '--json');
    expect(run.status, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ state: 'complete', leaderboard: [{ model: 'sim', n: 2 }] });
  };
  // The demo runs in any case, under the oldest Node.
  for (const one of nodes) long(`under ${one[0]}: init, plan and run${inFull}`, (context) => startsHere(one, context));

  test.skipIf(project === null)('the demo runs under the oldest Node at hand; a second start finds it finished', () => {
    const node = nodes[1][1] ?? process.execPath;
    const { status, stdout, stderr } = evenkeel(node, 'demo', '--json');
    expect(status, stderr).toBe(0);
    const { state, report, leaderboard } = JSON.parse(stdout) as Shown;
    expect([state, existsSync(report)]).toEqual(['complete', true]);
    expect(leaderboard.map(({ model, n, simulated }) => [model, n, simulated])).toEqual(
      expect.arrayContaining(
        ['strong-sim', 'drifting-sim', 'weak-sim', 'faulty-sim'].map((model) => [model, 45, true]),
      ),
    );
    const again = evenkeel(node, 'demo', '--json');
    expect([again.status, again.stderr]).toEqual([0, expect.stringContaining('is already complete')]);
    expect((JSON.parse(again.stdout) as Shown).leaderboard).toEqual(leaderboard);
  });
});

interface Shown {
  readonly state: string;
  readonly report: string;
  readonly leaderboard: readonly { readonly model: string; readonly n: number; readonly simulated: boolean }[];
}
