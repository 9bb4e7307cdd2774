/** Finds the container engine of this machine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import { xdgFolder } from '../../../domain/xdg-folder.ts';

export interface ContainerEngine {
  readonly docker: Docker;
  readonly kind: 'Docker' | 'Podman';
  /** e.g. "Docker 20.10.24". */
  readonly name: string;
  /** Whether its containers can see folders and sockets of this machine. */
  readonly isLocal: boolean;
  /** Where it was found, to explain the choice. */
  readonly found: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const askTimeoutMs = 3000;

/**
 * The engine at `DOCKER_HOST`; if not set, the first of Docker's and Podman's sockets that answers. Null with the
 * reason in `why`.
 */
export async function findEngine(
  env: Environment = process.env,
): Promise<{ engine: ContainerEngine | null; why: string }> {
  const named = env['DOCKER_HOST'];
  if (named !== undefined && named !== '') {
    const engine = await ask(hostOptions(named), isSocket(named), `DOCKER_HOST ${named}`);
    return { engine, why: engine === null ? `DOCKER_HOST ${named} does not answer` : engine.found };
  }
  const sockets = socketPaths(env).filter((path) => existsSync(path));
  for (const socketPath of sockets) {
    const engine = await ask({ socketPath }, process.platform === 'linux', socketPath);
    if (engine !== null) return { engine, why: engine.found };
  }
  return {
    engine: null,
    why: sockets.length === 0 ? 'no container engine found' : `no container engine answers at ${sockets.join(', ')}`,
  };
}

function socketPaths(env: Environment): string[] {
  const user = xdgFolder(env, 'XDG_RUNTIME_DIR');
  const own = user === undefined ? [] : [join(user, 'docker.sock'), join(user, 'podman', 'podman.sock')];
  return ['/var/run/docker.sock', '/run/podman/podman.sock', ...own];
}

const isSocket = (host: string): boolean => host.startsWith('unix://') && process.platform === 'linux';

function hostOptions(host: string): Docker.DockerOptions {
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) };
  // For ssh and for TLS with its certificate folder, dockerode reads the environment itself.
  const plain = /^tcp:\/\/([^:/]+|\[[^\]]+\]):(\d+)\/?$/.exec(host);
  if (plain === null || plain[2] === '2376' || process.env['DOCKER_TLS_VERIFY'] === '1') return {};
  return { protocol: 'http', host: plain[1] ?? '', port: Number(plain[2]) };
}

async function ask(options: Docker.DockerOptions, isLocal: boolean, found: string): Promise<ContainerEngine | null> {
  try {
    const version = await new Docker({ ...options, timeout: askTimeoutMs }).version();
    const components = (version as { Components?: { Name: string }[] }).Components ?? [];
    const kind = components.some(({ Name }) => Name.includes('Podman')) ? 'Podman' : 'Docker';
    return { docker: new Docker(options), kind, name: `${kind} ${version.Version}`, isLocal, found };
  } catch {
    return null;
  }
}
