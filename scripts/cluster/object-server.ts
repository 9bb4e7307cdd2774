/** versitygw, an S3 server over a folder: built once with Go from its module proxy, and started on a free port. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedProgram } from '../../workers/temporal/cached-program.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { isExecutable } from '../../workers/temporal/choose-server.ts';
import { findFreePort } from '../../workers/temporal/free-port.ts';
import { goIn } from '../../workers/temporal/go-command.ts';
import { obtainProgram } from '../../workers/temporal/obtain-program.ts';
import { outputOf } from '../../workers/temporal/output-of.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

const version = '1.8.0';
const source = `github.com/versity/versitygw/cmd/versitygw@v${version}`;
const building = ['-modcacherw', '-trimpath', '-ldflags=-s -w', '-gcflags=all=-dwarf=false'];

/** Takes some two minutes of processor time the first time. Throws if it is not in the cache and there is no Go. */
export async function objectServerProgram(onProgress: (line: string) => void): Promise<string> {
  const program = cachedProgram(cacheFolder(process.env), 'versitygw', 'versitygw', version);
  if (isExecutable(program.path)) return program.path;
  const go = await outputOf('go', ['env', 'GOVERSION'], { limitMs: 5_000 });
  if (!go.ok) throw new Error(`no S3 server: building versitygw needs Go (${go.reason})`);
  onProgress(`building versitygw ${version} with Go (once, about two minutes)`);
  await obtainProgram(program, onProgress, async (scratch) => {
    const run = await goIn(scratch, process.env, () => {});
    await run(['install', ...building, source]);
    return join(scratch, 'path', 'bin', 'versitygw');
  });
  return program.path;
}

export interface ObjectServer {
  /** For AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION. */
  readonly env: Readonly<Record<string, string>>;
  /** For EVENKEEL_BLOBS; a prefix may follow. */
  readonly bucket: string;
  /** Of the process of this moment. */
  pid(): number;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startObjectServer(program: string): Promise<ObjectServer> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-objects-'));
  mkdirSync(join(folder, 'root', 'evenkeel'), { recursive: true });
  const endpoint = `http://127.0.0.1:${await findFreePort()}`;
  const [access, secret] = ['evenkeel', 'evenkeel-secret'];
  const start = (): Promise<ServerProcess> =>
    startProcess(program, ['--port', new URL(endpoint).host, '--quiet', 'posix', join(folder, 'root')], {
      log: join(folder, 'log'),
      env: { ...process.env, ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret },
      answers: () => answers(endpoint),
    });
  let server = await start();
  const keys = { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret, AWS_REGION: 'us-east-1' };
  return {
    env: { AWS_ENDPOINT_URL: endpoint, ...keys },
    bucket: 's3://evenkeel',
    pid: () => server.pid,
    async restart() {
      await server.end('SIGKILL');
      server = await start();
    },
    async stop() {
      await server.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  );
