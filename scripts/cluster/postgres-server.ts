/** A PostgreSQL server of the test bed, in a temporary folder, on a free port of this machine. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../workers/temporal/free-port.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

export interface PostgresServer {
  /** Of a database in which its user may do everything. */
  readonly address: string;
  readonly pid: number;
  /** As an operator restarts it: `immediate` is a crash. Data, port and address stay. */
  restart(how: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

const packages = '/usr/lib/postgresql';
const oldest = 15;

/** The folder with `initdb` and `postgres`; null if this machine has none of version 15 or newer. */
export function findPostgres(): string | null {
  const versions = existsSync(packages) ? readdirSync(packages).map(Number) : [];
  const [newest] = versions.filter((version) => version >= oldest).sort((one, other) => other - one);
  const folder = newest === undefined ? null : join(packages, String(newest), 'bin');
  return folder !== null && existsSync(join(folder, 'initdb')) ? folder : null;
}

export const noPostgres = 'no PostgreSQL 15 or newer in /usr/lib/postgresql (Debian: apt-get install postgresql)';

/** As `findPostgres`, but throws. */
export function postgresPrograms(): string {
  const folder = findPostgres();
  if (folder === null) throw new Error(noPostgres);
  return folder;
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Names of files in `folder`, in PEM. */
interface ServerTls {
  readonly folder: string;
  readonly key: string;
  readonly certificate: string;
  /** Clients must have a certificate of this one, with their user's name. */
  readonly authority: string;
}

interface PostgresOptions {
  /** `name=value`, one each. */
  readonly settings?: readonly string[];
  /** Then it speaks TLS only. */
  readonly tls?: ServerTls;
}

export async function startPostgres(
  programs: string,
  { settings = [], tls }: PostgresOptions = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-postgres-'));
  const user = serverUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const port = await findFreePort();
  const init = ['-D', data, '-A', 'trust', '-U', 'evenkeel', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), init, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const options = [
    ...['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_connections=200'],
    ...settings,
    ...(tls === undefined ? [] : withTls(data, tls, user)),
  ];
  const args = ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])];
  const start = (): Promise<ServerProcess> =>
    startProcess(join(programs, 'postgres'), args, {
      ...user,
      cwd: folder,
      log: join(folder, 'log'),
      answers: async () => isReady(data),
    });
  let server = await start();
  return {
    address: `postgres://evenkeel@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.pid;
    },
    async restart(how) {
      await server.end(signals[how]);
      server = await start();
    },
    async stop() {
      await server.end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Settings for TLS; copies the files to where the server may read them. */
function withTls(data: string, { folder, ...names }: ServerTls, user: ServerUser | null): string[] {
  for (const name of Object.values(names)) {
    const copy = join(data, name);
    copyFileSync(join(folder, name), copy);
    chmodSync(copy, 0o600);
    if (user !== null) chownSync(copy, user.uid, user.gid);
  }
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 cert\n');
  return [
    'ssl=on',
    `ssl_key_file=${names.key}`,
    `ssl_cert_file=${names.certificate}`,
    `ssl_ca_file=${names.authority}`,
  ];
}

interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: there it runs as the user of Debian's package. */
function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const id = (of: string): number => Number(execFileSync('id', [of, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Whether it lets sessions in: it says so in the eighth line of a file. */
function isReady(data: string): boolean {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready';
}
