/**
 * The images of workers: built by the project's script, and used with the rights that the manifests give. Their base is
 * made here, since this test pulls none: Debian by debootstrap, with this Node.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { madeBase } from '../../activities/sandboxes/container/container-image.ts';
import { root } from '../../scripts/root.ts';
import { type PrivateEngine, startPrivateEngine } from '../../scripts/setup-engine.ts';
import { type OutsideServer, startOutsideServer } from '../support/builds/outside-server.ts';

const tag = 'tried';
const base = 'evenkeel-base:node';
/** As in deploy/kubernetes/sandbox.yaml and deploy/compose.yaml. */
const rights = [
  ...['--read-only', '--tmpfs', '/tmp', '--tmpfs', '/var/lib/evenkeel:uid=65534', '--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges'],
];
const forBubblewrap = ['--security-opt', 'seccomp=unconfined', '--security-opt', 'systempaths=unconfined'];

const canSetUp = process.platform === 'linux' && process.getuid?.() === 0;
let engine: PrivateEngine;
let folder: string;
let temporal: OutsideServer;

const docker = (...args: string[]): string =>
  execFileSync('docker', args, { env: { ...process.env, DOCKER_HOST: engine.host }, encoding: 'utf8' });

beforeAll(async () => {
  if (!canSetUp) return;
  engine = await startPrivateEngine((line) => void process.stdout.write(`${line}\n`));
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  temporal = await startOutsideServer(folder);
  const context = mkdtempSync(join(tmpdir(), 'evenkeel-base-'));
  try {
    cpSync(process.execPath, join(context, 'node'), { dereference: true });
    writeFileSync(join(context, 'Dockerfile'), `FROM ${madeBase}\nCOPY node /usr/local/bin/node\n`);
    docker('build', '--quiet', '--tag', base, context);
  } finally {
    rmSync(context, { recursive: true });
  }
  execFileSync(process.execPath, [join(root, 'scripts', 'images.ts'), '--base', base, '--tag', tag], {
    env: { ...process.env, DOCKER_HOST: engine.host },
    stdio: 'inherit',
  });
}, 1_800_000);
afterAll(async () => {
  await temporal?.close();
  await engine?.stop();
  if (canSetUp) rmSync(folder, { recursive: true, force: true });
});

const reason = canSetUp ? '' : ' (skipped: needs Linux and root, for an engine of its own)';

test.runIf(canSetUp)(`programs run behind bubblewrap in the sandbox image${reason}`, { timeout: 600_000 }, () => {
  const commands =
    'cd /var/lib/evenkeel && evenkeel init s && evenkeel run s/evaloop.yaml && evenkeel verify my-first-loops && ' +
    'evenkeel query my-first-loops "select distinct tier from executions" --json';
  const said = docker(
    ...['run', '--rm', '--network', 'host', '--env', `TEMPORAL_ADDRESS=${temporal.address}`],
    ...[...rights, ...forBubblewrap, '--entrypoint', 'sh', `evenkeel-sandbox:${tag}`, '-c', commands],
  );
  expect(said).toMatch(/is intact/);
  expect(said).toMatch(/bubblewrap/);
});

test.runIf(canSetUp)(`the worker image runs every command without Python, compilers or root${reason}`, () => {
  const look = 'id -u; command -v python3 gcc npm; evenkeel --version; evenkeel worker --help | head -1';
  const said = docker('run', '--rm', ...rights, '--entrypoint', 'sh', `evenkeel-worker:${tag}`, '-c', look);
  expect(said).toBe('65534\n0.1.0\nUsage: evenkeel worker [options]\n');
});
