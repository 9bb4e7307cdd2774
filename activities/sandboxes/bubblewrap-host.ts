/**
 * Slots without a container engine: the same zygote runs as first process under bubblewrap, as an unprivileged user.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { MissingPartError } from '../../domain/errors.ts';
import { imageFolder } from './container/container-image.ts';
import { type SeccompProfile, seccompFilter } from './seccomp-filter.ts';
import { clearSlotFolders, makeSlotFolder } from './slot-folders.ts';
import { memoryKillsOfMachine } from './memory-kills.ts';
import { lastOwnCore } from './timing-core.ts';
import type { SlotProgram, ZygoteHost, ZygoteLink } from './zygote/zygote-link.ts';

export interface BubblewrapIdentity {
  /** e.g. "bubblewrap 0.8.0 (Python 3.11.2)". */
  readonly name: string;
  /** SHA-256 of the interpreter and of all evenkeel files in a slot. */
  readonly digest: string;
}

const bwrap = '/usr/bin/bwrap';
export const python = '/usr/bin/python3';
const taskset = '/usr/bin/taskset';
const choom = '/usr/bin/choom';
/** `nobody` runs the slots if evenkeel runs as root, since root's limits have no effect. */
const nobody = 65_534;
const firstUser = 61_000;
/** If memory is short, the kernel is to end a program, which runs again, and not evenkeel. */
const endedFirst = [choom, '--adjust', '1000', '--'];
const temporaryBytes = 16 << 20;
const complaintChars = 2000;

/** Throws `MissingPartError`, with the reason, if bubblewrap slots are not possible here. */
export function probeBubblewrap(): BubblewrapIdentity {
  if (process.platform !== 'linux') throw new MissingPartError('bubblewrap needs Linux');
  for (const path of [bwrap, python]) if (!existsSync(path)) throw new MissingPartError(`${path} is missing`);
  const filter = makeFilter();
  const version = (program: string) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const tried = spawnSync(bwrap, [...walls(firstUser), '--', python, '-c', ''], {
    ...unprivileged(),
    encoding: 'utf8',
    timeout: 10_000,
  });
  if (tried.status !== 0)
    throw new MissingPartError(`bubblewrap cannot create a sandbox here: ${tried.stderr.trim() || 'no message'}`);
  const hash = createHash('sha256').update(filter).update(readFileSync(python)).update(version(python));
  for (const name of zygoteFiles()) hash.update(readFileSync(join(imageFolder, name)));
  return { name: `${version(bwrap)} (${version(python)})`, digest: hash.digest('hex') };
}

const filterName = 'seccomp.bpf';

/**
 * @param program the first process of each slot (sandbox/container/)
 * @param findPackages finds the folder with packages that it needs besides the interpreter's own, if any
 */
export function createBubblewrapHost(
  program: SlotProgram = 'zygote.py',
  findPackages?: () => Promise<string>,
): ZygoteHost {
  clearSlotFolders();
  const own = filledFolder();
  const filter = join(own, filterName);
  const packages = findPackages === undefined ? null : copiedOnce(findPackages);
  return {
    start: async (index, core = null) => {
      const folders = { own, packages: packages === null ? null : await packages.folder() };
      return startSlot({ folders, filter, user: firstUser + index, core, program });
    },
    dedicatedCore: () => Promise.resolve(existsSync(taskset) ? lastOwnCore() : null),
    isWell: () => Promise.resolve(true),
    memoryKills: memoryKillsOfMachine,
    memoryFree: () => process.availableMemory(),
    close: () => {
      for (const folder of [own, ...(packages?.made() ?? [])]) rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

/** What all slots read. Nothing of it stays where it does not fit. */
function filledFolder(): string {
  const folder = makeReadableFolder();
  try {
    for (const name of zygoteFiles()) copyFileSync(join(imageFolder, name), join(folder, name));
    writeFileSync(join(folder, filterName), makeFilter());
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** A folder that the user of a slot can read. */
function makeReadableFolder(): string {
  const folder = makeSlotFolder();
  chmodSync(folder, 0o755);
  return folder;
}

/** A copy, since the user of a slot may not see into the original. Made when it is first needed. */
function copiedOnce(find: () => Promise<string>): { folder(): Promise<string>; made(): readonly string[] } {
  const made: string[] = [];
  let copy: Promise<string> | null = null;
  const make = async (): Promise<string> => {
    const from = await find();
    const to = makeReadableFolder();
    made.push(to);
    // Compiled files name the times of their sources.
    await cp(from, to, { recursive: true, preserveTimestamps: true });
    chmodSync(to, 0o755);
    return to;
  };
  const folder = (): Promise<string> => {
    copy ??= make().catch((error: unknown): never => {
      copy = null;
      throw error;
    });
    return copy;
  };
  return { folder, made: () => made };
}

interface SlotSetup {
  readonly folders: { readonly own: string; readonly packages: string | null };
  readonly filter: string;
  readonly user: number;
  readonly core: number | null;
  readonly program: SlotProgram;
}

function startSlot({ folders, filter, user, core, program }: SlotSetup): ZygoteLink {
  const fd = openSync(filter, 'r');
  const first = [python, '-s', '-B', `/opt/evenkeel/${program}`, '--stdio', '--limits'];
  const packages = folders.packages === null ? [] : ['--ro-bind', folders.packages, '/opt/pylint'];
  const binds = ['--ro-bind', folders.own, '/opt/evenkeel', ...packages, '--remount-ro', '/', '--seccomp', '3'];
  const command = [bwrap, ...walls(user), ...binds, '--', ...first];
  const bound = core === null ? command : [taskset, '--cpu-list', String(core), ...command];
  const [name = bwrap, ...words] = existsSync(choom) ? [...endedFirst, ...bound] : bound;
  const child = spawn(name, words, { ...unprivileged(), stdio: ['pipe', 'pipe', 'pipe', fd], detached: true });
  closeSync(fd);
  return linkOf(child);
}

function linkOf(child: ChildProcess): ZygoteLink {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-complaintChars);
  });
  // Writes to a slot that has ended are dropped.
  child.stdin?.on('error', () => undefined);
  let stopped = false;
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(complaint.trim()));
  });
  return {
    write: (bytes) => void child.stdin?.write(bytes),
    listen: (onChunk) => void child.stdout?.on('data', onChunk),
    gone,
    wasKilled: () => !stopped && (child.signalCode === 'SIGKILL' || child.exitCode === 128 + 9),
    stop: async () => {
      stopped = true;
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Unshares everything; only the host's programs and libraries are visible, read-only. Ends with this process. */
function walls(user: number): string[] {
  const folders = ['/bin', '/lib', '/lib64', '/sbin'].filter((path) => existsSync(path));
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--as-pid-1', '--die-with-parent', '--new-session'],
    ...[
      '--cap-drop',
      'ALL',
      '--clearenv',
      '--setenv',
      'PYTHONHASHSEED',
      '0',
      '--setenv',
      'MALLOC_ARENA_MAX',
      '1',
      '--hostname',
      'slot',
    ],
    ...['--uid', String(user), '--gid', String(user)],
    ...['--ro-bind', '/usr', '/usr'],
    ...folders.flatMap((path) => ['--ro-bind', path, path]),
    // A namespace's user could write its settings in /proc/sys, and they would affect the next program.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev', '--remount-ro', '/dev'],
    ...['--size', String(temporaryBytes), '--tmpfs', '/tmp'],
    // Shared memory and semaphores of `multiprocessing`. Emptied like /tmp (sandbox/container/cleanup.py).
    ...['--size', String(temporaryBytes), '--tmpfs', '/dev/shm'],
  ];
}

function unprivileged(): { uid?: number; gid?: number; env: Record<string, string>; cwd: string } {
  const basics = { env: {}, cwd: '/' };
  return process.getuid?.() === 0 ? { ...basics, uid: nobody, gid: nobody } : basics;
}

const zygoteFiles = (): string[] =>
  readdirSync(imageFolder)
    .filter((name) => name.endsWith('.py'))
    .sort();

function makeFilter(): Buffer {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(imageFolder, name), 'utf8'));
  const numbers = (read('syscalls.json') as Record<string, Record<string, number>>)[process.arch] ?? {};
  return seccompFilter(read('seccomp.json') as SeccompProfile, numbers, process.arch);
}
