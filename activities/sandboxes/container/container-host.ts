/** Slots as hardened, long-lived containers: creates, connects, stops them, and removes those whose owner has died. */
import { randomInt } from 'node:crypto';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { attachStreams } from './container-attach.ts';
import type { ContainerEngine } from './container-engine.ts';
import { imageFolder, imageTag } from './container-image.ts';
import { clearOrphans, ownerLabels } from './container-owner.ts';
import { SandboxFault } from '../sandbox.ts';
import { clearSlotFolders, makeSlotFolder } from '../slot-folders.ts';
import { lastOwnCore } from '../timing-core.ts';
import type { SlotProgram, ZygoteHost, ZygoteLink } from '../zygote/zygote-link.ts';

/**
 * Memory of a slot, bytes: the limit of one program, plus room for the zygote and for processes that a program starts.
 */
export const slotMemoryBytes = 768 * 1024 * 1024;
const processesPerSlot = 64;
const connectTimeoutMs = 60_000;

/**
 * Prepares the engine for slots; removes leftovers of crashed owners.
 * @param program the first process of each slot (sandbox/container/)
 */
export async function createContainerHost(
  engine: ContainerEngine,
  program: SlotProgram = 'zygote.py',
): Promise<ZygoteHost> {
  await clearOrphans(engine.docker);
  clearSlotFolders();
  // A separate user per slot: limits on processes count per user, over the whole machine.
  const firstUser = 61_000 + 64 * randomInt(64);
  let useSocket = engine.isLocal;
  return { start, dedicatedCore, isWell, close: async () => undefined };

  async function start(index: number, core: number | null = null): Promise<ZygoteLink> {
    const setup = { user: firstUser + index, core, program };
    if (!useSocket) return await startAttached(engine, setup);
    try {
      return await startOnSocket(engine, setup);
    } catch (error) {
      // An engine that cannot share a local folder is treated like a remote one.
      if (!(error instanceof UnreachedSocket)) throw error;
      useSocket = false;
      return await startAttached(engine, setup);
    }
  }

  /** The last core: the kernel's own work tends to be on the first. */
  async function dedicatedCore(): Promise<number | null> {
    const { CPUSet, NCPU } = (await engine.docker.info()) as { CPUSet?: boolean; NCPU?: number };
    if (CPUSet !== true || NCPU === undefined || NCPU < 1) return null;
    return engine.isLocal ? Math.min(lastOwnCore() ?? NCPU - 1, NCPU - 1) : NCPU - 1;
  }

  async function isWell(): Promise<boolean> {
    return await engine.docker.ping().then(
      () => true,
      () => false,
    );
  }
}

/** A slot's user, its core (null if not bound) and its program. */
interface SlotSetup {
  readonly user: number;
  readonly core: number | null;
  readonly program: SlotProgram;
}

class UnreachedSocket extends SandboxFault {}

async function startAttached(engine: ContainerEngine, setup: SlotSetup): Promise<ZygoteLink> {
  const container = await create(engine, setup, ['--stdio'], []);
  const streams = await attachStreams(container);
  return await started(container, streams.complaint, {
    write: (bytes) => void streams.input.write(bytes),
    listen: streams.listen,
    closed: streams.closed,
  });
}

/**
 * Separates the protocol from standard output: uses a socket in a folder that the container sees but cannot write to.
 */
async function startOnSocket(engine: ContainerEngine, setup: SlotSetup): Promise<ZygoteLink> {
  const folder = makeSlotFolder();
  const socketServer = await acceptOne(join(folder, 'zygote'));
  try {
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'zygote'), 0o777);
    const container = await create(engine, setup, ['--socket', '/run/evenkeel/zygote'], [`${folder}:/run/evenkeel:ro`]);
    const streams = await attachStreams(container);
    const gone = endOf(container);
    await container.start();
    const giveUp = new Promise<null>((resolve) => setTimeout(() => resolve(null), connectTimeoutMs).unref());
    const socket = await Promise.race([socketServer.connected, gone.then(() => null), giveUp]);
    if (socket === null) {
      await remove(container);
      throw new UnreachedSocket(`a slot's container did not reach its socket: ${streams.complaint() || 'no message'}`);
    }
    return linkOf(container, gone, streams.complaint, {
      write: (bytes) => void socket.write(bytes),
      listen: (onChunk) => void socket.on('data', onChunk),
      closed: new Promise((resolve) => socket.once('close', () => resolve())),
    });
  } finally {
    socketServer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const later = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), ms));

interface SocketServer {
  readonly connected: Promise<Socket>;
  close(): void;
}

/** Accepts one connection. */
async function acceptOne(path: string): Promise<SocketServer> {
  const server: Server = createServer();
  const connected = new Promise<Socket>((resolve) => {
    server.once('connection', (socket) => {
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return { connected, close: () => void server.close() };
}

interface Streams {
  write(bytes: Buffer): void;
  listen(onChunk: (chunk: Buffer) => void): void;
  readonly closed: Promise<void>;
}

async function started(container: Docker.Container, complaint: () => string, streams: Streams): Promise<ZygoteLink> {
  const gone = endOf(container);
  await container.start();
  return linkOf(container, gone, complaint, streams);
}

/**
 * The container's exit status; null if the engine cannot tell. Call before the start, with the condition: without it,
 * an engine answers at once for a container that is not running yet.
 */
async function endOf(container: Docker.Container): Promise<number | null> {
  return await container.wait({ condition: 'next-exit' }).then(
    ({ StatusCode }: { StatusCode: number }) => StatusCode,
    () => null,
  );
}

/** How long to wait for the exit status after the stream has ended; on a busy machine it comes late. */
const statusMs = 10_000;
const killedStatus = 128 + 9;

/** The slot ends when the container or the stream to it ends. */
function linkOf(
  container: Docker.Container,
  ended: Promise<number | null>,
  complaint: () => string,
  streams: Streams,
): ZygoteLink {
  let removed: Promise<void> | null = null;
  let wasKilled = false;
  const stop = (): Promise<void> => {
    removed ??= remove(container);
    return removed;
  };
  const gone = Promise.race([ended, streams.closed]).then(async () => {
    // Removal kills the container too.
    wasKilled = removed === null && (await Promise.race([ended, later(statusMs)])) === killedStatus;
    await stop();
    return complaint();
  });
  return { write: streams.write, listen: streams.listen, gone, wasKilled: () => wasKilled, stop };
}

const removalMs = 10_000;

/** Waits until the container is gone. If the engine is down, `clearOrphans` removes the container later. */
async function remove(container: Docker.Container): Promise<void> {
  await container.remove({ force: true }).catch(() => undefined);
  const deadline = performance.now() + removalMs;
  // If the engine is already removing it, it says so without waiting.
  while (performance.now() < deadline && (await exists(container))) await later(20);
}

async function exists(container: Docker.Container): Promise<boolean> {
  return await container.inspect().then(
    () => true,
    () => false,
  );
}

async function create(
  engine: ContainerEngine,
  { user, core, program }: SlotSetup,
  arguments_: string[],
  binds: string[],
): Promise<Docker.Container> {
  const podman = engine.kind === 'Podman';
  const seccomp = join(imageFolder, 'seccomp.json');
  return await engine.docker.createContainer({
    Image: imageTag(),
    Entrypoint: ['/usr/bin/python3', '-s', '-B', `/opt/evenkeel/${program}`],
    Cmd: arguments_,
    Env: ['PYTHONHASHSEED=0', 'PYTHONDONTWRITEBYTECODE=1', 'MALLOC_ARENA_MAX=1'],
    User: `${user}:${user}`,
    Labels: ownerLabels(),
    NetworkDisabled: true,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    StopTimeout: 0,
    HostConfig: {
      AutoRemove: true,
      Binds: binds,
      NetworkMode: 'none',
      IpcMode: podman ? 'private' : 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      // Podman reads the profile from a file on its machine, Docker takes its text.
      SecurityOpt: ['no-new-privileges', `seccomp=${podman ? seccomp : readFileSync(seccomp, 'utf8')}`],
      PidsLimit: processesPerSlot,
      ...(core === null ? {} : { CpusetCpus: String(core) }),
      Memory: slotMemoryBytes,
      MemorySwap: slotMemoryBytes,
      Tmpfs: { '/tmp': `rw,noexec,nosuid,nodev,size=16m,mode=1777${podman ? '' : ',nr_inodes=1024'}` },
      Ulimits: [
        { Name: 'nofile', Soft: 64, Hard: 64 },
        { Name: 'fsize', Soft: 16 << 20, Hard: 16 << 20 },
        { Name: 'core', Soft: 0, Hard: 0 },
        { Name: 'stack', Soft: 64 << 20, Hard: 64 << 20 },
        // Podman's default may exceed what this machine allows.
        ...(podman ? [{ Name: 'nproc', Soft: processesPerSlot, Hard: processesPerSlot }] : []),
      ],
      LogConfig: { Type: 'none', Config: {} },
    },
  });
}
