/**
 * A private container engine for tests and benchmarks: Debian's packages, its own data folder and socket, used and stopped without touching any engine that is
 * there. `node scripts/setup-engine.ts` starts one, builds the sandbox's image, says where it is and stops it at Ctrl-C.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findEngine } from '../activities/sandboxes/container-engine.ts';
import { buildImage, madeBase } from '../activities/sandboxes/container-image.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';

export interface PrivateEngine {
  /** For DOCKER_HOST. */
  readonly host: string;
  stop(): Promise<void>;
}

const packages = ['docker.io', 'debootstrap'];
const execute = promisify(execFile);
/** What a package manager says is kept whole, for the error. */
const maxOutputBytes = 64 * 1024 * 1024;
const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;

/** Throws, with what is missing, on a machine where it may or can not be done. */
export async function startPrivateEngine(onProgress: (line: string) => void): Promise<PrivateEngine> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('a private container engine needs Linux and root');
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
    throw new Error(`a private container engine needs ${missing.join(' and ')}; only Debian's are installed here`);
  onProgress(`installing ${missing.join(', ')}`);
  // Nothing starts an engine for the whole machine.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) => execute('apt-get', args, { env, maxBuffer: maxOutputBytes });
  await apt('update', '-qq');
  await apt('install', '-y', '-qq', '--no-install-recommends', ...missing);
}

function isInstalled(name: string): boolean {
  const program = name === 'docker.io' ? 'dockerd' : name;
  return ['/usr/sbin', '/usr/bin', '/usr/local/bin'].some((path) => existsSync(join(path, program)));
}

/** A daemon that was started; `kill` ends it as a crash does. */
export interface Daemon extends PrivateEngine {
  kill(): Promise<void>;
}

/** Images stay in `data`; its socket and what else lasts as long as it does are in `run`, so that two daemons never meet, and one may be started again. */
export async function startDaemon(data: string, run: string): Promise<Daemon> {
  const socket = join(run, 'docker.sock');
  const log = openSync(join(run, 'log'), 'w');
  const args = [
    ...['--host', `unix://${socket}`, '--data-root', data, '--exec-root', join(run, 'exec'), '--pidfile', join(run, 'pid')],
    ...['--bridge', 'none', '--iptables=false', '--ip6tables=false', '--log-level', 'warn'],
  ];
  // A group of its own: a terminal's interrupt is for us, who end it in order.
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

/** The engine leaves a network namespace mounted. */
function unmountBelow(folder: string): void {
  const points = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((point) => point.startsWith(`${folder}/`));
  for (const point of points.reverse()) spawnSync('umount', ['--lazy', point]);
}

/** Debian itself as an image, where none can be pulled: made once, kept by the engine. */
async function makeBase(host: string, folder: string, onProgress: (line: string) => void): Promise<void> {
  const { engine } = await findEngine({ DOCKER_HOST: host });
  const known = await engine?.docker.listImages({ filters: { reference: [madeBase] } });
  if (engine === null || (known?.length ?? 0) > 0) return;
  const root = mkdtempSync(join(folder, 'debian-'));
  try {
    onProgress('making a Debian 12 base image by debootstrap');
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
