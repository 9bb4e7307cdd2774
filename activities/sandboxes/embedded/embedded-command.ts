/** Builds the command of the embedded sandbox's child process: Node.js, its permissions, and the host's isolation. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { engineDigest } from './same-engine.ts';

export interface EmbeddedCommand {
  readonly file: string;
  readonly args: readonly string[];
}

export interface EmbeddedEngine {
  /** e.g. "pyodide 314.0.7 (CPython 3.14.2)". */
  readonly name: string;
  /** SHA-256 of the interpreter, its library and evenkeel's code in the child, mapped by `engineDigest`. */
  readonly digest: string;
}

/** Finds the installed interpreter. Throws if the `pyodide` package is missing. */
export function findPyodide(): string {
  return dirname(realpathSync(createRequire(import.meta.url).resolve('pyodide/package.json')));
}

export function describeEngine(pyodideFolder: string): EmbeddedEngine {
  const { version } = JSON.parse(readFileSync(join(pyodideFolder, 'package.json'), 'utf8')) as { version: string };
  const { info } = JSON.parse(readFileSync(join(pyodideFolder, 'pyodide-lock.json'), 'utf8')) as {
    info: { python: string };
  };
  const hash = createHash('sha256');
  for (const name of ['pyodide.asm.wasm', 'pyodide.asm.mjs', 'python_stdlib.zip'])
    hash.update(readFileSync(join(pyodideFolder, name)));
  for (const path of childFiles()) hash.update(readFileSync(path));
  return { name: `pyodide ${version} (CPython ${info.python})`, digest: engineDigest(hash.digest('hex')) };
}

/** The child's command, preceded by the host's isolation commands (`hostIsolation`). */
export function childCommand(pyodideFolder: string, isolation: readonly string[]): EmbeddedCommand {
  const main = join(childFolder, `main${extname(here)}`);
  const readable = [childFolder, pyodideFolder, ...packageFiles(childFolder)];
  const node = [
    process.execPath,
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    '--no-warnings',
    '--stack-size=6500',
    main,
    `${pathToFileURL(pyodideFolder).href}/`,
  ];
  const [file = process.execPath, ...args] = [...isolation, ...node];
  return { file, args };
}

let probedIsolation: readonly string[] | undefined;

/**
 * Isolation that this host allows without root or an engine: on Linux a separate network namespace, no capabilities,
 * and an end when the parent dies. Tried once per process; an empty list if it does not work.
 */
export function hostIsolation(): readonly string[] {
  probedIsolation ??= candidateCommands().find((isolation) => works(isolation)) ?? [];
  return probedIsolation;
}

function candidateCommands(): readonly (readonly string[])[] {
  const unshare = firstExisting('unshare');
  const setpriv = firstExisting('setpriv');
  const network = unshare === null ? null : [unshare, '--map-root-user', '--net', '--'];
  const drop =
    setpriv === null
      ? null
      : [setpriv, '--pdeathsig=KILL', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--'];
  const pairs = [network !== null && drop !== null ? [...network, ...drop] : null, network, drop];
  return pairs.filter((isolation) => isolation !== null);
}

function firstExisting(name: string): string | null {
  return ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

function works(isolation: readonly string[]): boolean {
  const [file, ...args] = [...isolation, process.execPath, '--version'];
  return file !== undefined && spawnSync(file, args, { env: {}, timeout: 10_000 }).status === 0;
}

const here = fileURLToPath(import.meta.url);
const childFolder = join(dirname(here), '..', '..', '..', 'sandbox', 'embedded');

/** The child runs as TypeScript in a clone and as JavaScript once built, like this file. */
function childFiles(): string[] {
  const names = readdirSync(childFolder).filter((name) => name.endsWith(extname(here)) && !name.endsWith('.d.ts'));
  return names.sort().map((name) => join(childFolder, name));
}

/** Node's loader searches parent folders for package.json. */
function packageFiles(folder: string): string[] {
  const above = [folder, dirname(folder), dirname(dirname(folder))].map((path) => join(path, 'package.json'));
  return above.filter((path) => existsSync(path));
}
