/**
 * A private container engine for tests and benchmarks, from Debian's packages, with its own data folder and socket. It
 * does not touch any other engine. `node scripts/setup-engine.ts` starts one, builds the sandbox's image, prints its
 * address and stops it at Ctrl-C.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findEngine } from '../activities/sandboxes/container/container-engine.ts';
import { buildImage, madeBase } from '../activities/sandboxes/container/container-image.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';

export interface PrivateEngine {
  /** Value for DOCKER_HOST. */
  readonly host: string;
  stop(): Promise<void>;
}

const packages = ['docker.io', 'debootstrap'];
const execute = promisify(execFile);
/** Large enough to keep the whole output of a package manager for the error message. */
const maxOutputBytes = 64 * 1024 * 1024;
const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;

/** Throws an error with the missing requirement on a machine where no engine can be set up. */
export async function startPrivateEngine(onProgress: (line: string) => void): Promise<PrivateEngine> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('a private container engine needs Linux and root');
  await installPackages(onProgress);
  const folder = join(cacheFolder(process.env), 'engine');
  mkdirSync(folder, { recursive: true });
  const run = mkdtempSync('/run/evenkeel-engine-');
  const clear = (): void => rmSync(run, { recursive: true, force: true });
  const daemon = await startDaemon(join(folder, 'data'), run).catch((error: unknown): never => {
    clear();
    throw error;
  });
  const engine = { host: daemon.host, stop: () => daemon.stop().then(clear) };
  try {
    const { engine: found, why } = await findEngine({ DOCKER_HOST: engine.host });
    if (found === null) throw new Error(why);
    await makeBase(engine.host, folder, onProgress);
    const digest = await buildImage(found.docker, onProgress);
    onProgress(`${found.name} at ${engine.host}, image ${digest}`);
    return engine;
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

async function installPackages(onProgress: (line: string) => void): Promise<void> {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  if (!existsSync('/usr/bin/apt-get'))
    throw new Error(
      `a private container engine needs ${missing.join(' and ')}; this script installs them only on Debian`,
    );
  onProgress(`installing ${missing.join(', ')}`);
  // RUNLEVEL=1 keeps the package from starting an engine for the whole machine.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) => execute('apt-get', args, { env, maxBuffer: maxOutputBytes });
  await apt('update', '-qq');
  await apt('install', '-y', '-qq', '--no-install-recommends', ...missing);
}

function isInstalled(name: string): boolean {
  const program = name === 'docker.io' ? 'dockerd' : name;
  return ['/usr/sbin', '/usr/bin', '/usr/local/bin'].some((path) => existsSync(join(path, program)));
}

/** A running daemon; `kill` ends it as a crash would. */
export interface Daemon extends PrivateEngine {
  kill(): Promise<void>;
}

/**
 * Images stay in `data`; the socket and other files of this daemon are in `run`, so that two daemons never interfere
 * and one may be restarted.
 */
export async function startDaemon(data: string, run: string): Promise<Daemon> {
  const socket = join(run, 'docker.sock');
  const log = openSync(join(run, 'log'), 'w');
  const args = [
    ...[
      '--host',
      `unix://${socket}`,
      '--data-root',
      data,
      '--exec-root',
      join(run, 'exec'),
      '--pidfile',
      join(run, 'pid'),
    ],
    ...['--bridge', 'none', '--iptables=false', '--ip6tables=false', '--log-level', 'warn'],
  ];
  // Its own process group, so that Ctrl-C reaches only this script, which stops the daemon properly.
  const daemon = spawn('dockerd', args, { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const stop = async (): Promise<void> => {
    await endDaemon(daemon, 'SIGTERM');
    unmountBelow(run);
  };
  const engine = { host: `unix://${socket}`, stop, kill: () => endDaemon(daemon, 'SIGKILL') };
  const deadline = performance.now() + startTimeoutMs;
  while ((await findEngine({ DOCKER_HOST: engine.host })).engine === null) {
    if (daemon.exitCode !== null || performance.now() > deadline) {
      const said = readFileSync(join(run, 'log'), 'utf8').trim().split('\n').slice(-5).join('\n');
      await engine.stop();
      throw new Error(`dockerd did not start:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return engine;
}

async function endDaemon(daemon: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
  daemon.kill(signal);
  const patience = setTimeout(() => daemon.kill('SIGKILL'), stopTimeoutMs);
  await gone;
  clearTimeout(patience);
}

/** Unmounts what the engine leaves behind, such as a network namespace. */
function unmountBelow(folder: string): void {
  const points = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((point) => point.startsWith(`${folder}/`));
  for (const point of points.reverse()) spawnSync('umount', ['--lazy', point]);
}

/** Builds a Debian base image where none can be pulled; the engine keeps it. */
async function makeBase(host: string, folder: string, onProgress: (line: string) => void): Promise<void> {
  const { engine } = await findEngine({ DOCKER_HOST: host });
  const known = await engine?.docker.listImages({ filters: { reference: [madeBase] } });
  if (engine === null || (known?.length ?? 0) > 0) return;
  const root = mkdtempSync(join(folder, 'debian-'));
  try {
    onProgress('building a Debian 12 base image with debootstrap');
    await execute('debootstrap', ['--variant=minbase', 'bookworm', root], { maxBuffer: maxOutputBytes });
    const [repo, tag] = madeBase.split(':');
    const archive = spawn('tar', ['-C', root, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const answer = await engine.docker.importImage(archive.stdout, { repo, tag });
    await new Promise((resolve, reject) => answer.once('end', resolve).once('error', reject).resume());
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const engine = await startPrivateEngine(console.log);
  console.log(`export DOCKER_HOST=${engine.host}    (Ctrl-C stops it)`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await engine.stop();
}
