/**
 * Runs before anything is installed, on Node 18 or newer and without dependencies: installs the dependencies of the
 * lock file and continues under a Node that can run the program. `evenkeel` and the npm scripts of a clone start here.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Downloaded from the npm registry if the machine's Node is older than `OLDEST_NODE`,
 * the first that strips types without a flag.
 */
const NODE_VERSION = '24.21.0';
const OLDEST_NODE = [22, 18];

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
/** Written by scripts/install.ts: the hash of the installed lock file, and the Node that it was installed for. */
const stampFile = join(root, 'node_modules', '.evenkeel-lock');
const nodeFile = join(root, 'node_modules', '.evenkeel-node');

/** Calls `load` if this Node is new enough, else restarts `script` under one that is and takes its exit status. */
export async function underModernNode(script, load) {
  if (!isModern()) return startAgain(findModernNode(), [script, ...process.argv.slice(2)]);
  installIfNeeded();
  process.env.PATH = dirname(process.execPath) + delimiter + (process.env.PATH ?? '');
  silenceExperimentalWarnings();
  await load();
}

function isModern() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** Only in a clone: a published package has no lock file, and npm has installed its dependencies. */
function installIfNeeded() {
  if (!existsSync(lockFile)) return;
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (readIfThere(stampFile) === hash) return;
  const install = ['--disable-warning=ExperimentalWarning', join(root, 'scripts', 'install.ts'), hash];
  const { status } = spawnSync(process.execPath, install, { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(2);
}

function findModernNode() {
  const kept = [nodeFile, foundFile()].map(readIfThere).find((path) => path !== null && isExecutable(path));
  if (kept !== undefined) return kept;
  process.stderr.write(
    `evenkeel: Node ${process.versions.node} is too old; ` +
      `downloading ${NODE_VERSION} from the npm registry (kept in npm's cache)\n`,
  );
  // The package `node` downloads these by an install script, which some users' settings forbid.
  const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  const name = isKnown ? `node-linux-${process.arch}` : 'node';
  const found = spawnSync('npx', ['-y', '-p', `${name}@${NODE_VERSION}`, '--', 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
  });
  const path = (found.stdout ?? '').trim().split('\n').pop();
  if (found.status === 0 && isExecutable(path)) {
    keepFound(path);
    return path;
  }
  process.stderr.write(
    `evenkeel: needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}, ` +
      `and npm could not download ${name}@${NODE_VERSION}:\n${found.error?.message ?? found.stderr}\n` +
      'Install a newer Node, or give npm access to its registry.\n',
  );
  process.exit(2);
}

/**
 * Where the path of the downloaded Node is kept, among evenkeel's caches (as workers/temporal/cache-folder.ts), so that
 * the next command need not ask npm.
 */
function foundFile() {
  const { EVENKEEL_CACHE, XDG_CACHE_HOME, HOME } = process.env;
  // The XDG base directory specification: a relative path is to be ignored.
  const caches = isAbsolute(XDG_CACHE_HOME ?? '') ? XDG_CACHE_HOME : join(HOME || homedir(), '.cache');
  return join(EVENKEEL_CACHE || join(caches, 'evenkeel'), `node-${NODE_VERSION}-${process.arch}`);
}

/** If the cache cannot be written, each command takes a second longer and repeats the notice. */
function keepFound(path) {
  try {
    mkdirSync(dirname(foundFile()), { recursive: true });
    writeFileSync(foundFile(), path);
  } catch {
    // The command works without the cache.
  }
}

function startAgain(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the child too; other signals reach only this process and are passed on.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => (signal === 'SIGINT' && hasTerminal ? undefined : child.kill(signal)));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => {
      if (signal === null) process.exitCode = status;
      else endBy(signal);
      resolve();
    });
  });
}

function endBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Hides the warnings about node:sqlite and, on Node 22, type stripping. */
function silenceExperimentalWarnings() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    const type = typeof rest[0] === 'string' ? rest[0] : rest[0]?.type;
    if (type !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
  };
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
