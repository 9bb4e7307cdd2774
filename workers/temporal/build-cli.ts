/** The Temporal CLI built by Go from its module proxy, pinned and checksummed by `data/temporal-cli`. */
import { spawn } from 'node:child_process';
import { copyFile, mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Environment } from './cache-folder.ts';
import { TEMPORAL_CLI_VERSION } from './cli-version.ts';
import { type Obtained, obtainCli } from './obtain-cli.ts';
import { outputOf } from './output-of.ts';

/** Go modules and compiled packages, until the executable is kept. */
const DISK_BYTES = 5e9;
const PROGRESS_EVERY_MS = 5_000;
/** From here on `go` can fetch the newer Go that go.mod asks for, and knows `tool` lines. */
const OLDEST_GO = [1, 24] as const;
const PACKAGES_IN_BUILD = 1_650;
const MODULE = fileURLToPath(new URL('../../data/temporal-cli', import.meta.url));

export interface BuildOptions {
  readonly cache: string;
  readonly env: Environment;
  readonly onProgress: (line: string) => void;
}

/** Takes about four minutes on two cores. Answers at once when there is no fitting Go. */
export async function buildCli({ cache, env, onProgress }: BuildOptions): Promise<Obtained> {
  const unfit = await whyGoIsUnfit(env);
  if (unfit !== null) return { ok: false, reason: unfit };
  try {
    await mkdir(cache, { recursive: true });
    const disk = await statfs(cache);
    const freeBytes = disk.bavail * disk.bsize;
    if (freeBytes < DISK_BYTES)
      return { ok: false, reason: `needs ${gigabytes(DISK_BYTES)} free in ${cache}, has ${gigabytes(freeBytes)}` };
    await obtainCli(cache, onProgress, (scratch) => build(scratch, env, onProgress));
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

async function whyGoIsUnfit(env: Environment): Promise<string | null> {
  const asked = await outputOf('go', ['env', 'GOVERSION'], { limitMs: 2_000, env: { ...env, GOTOOLCHAIN: 'local' } });
  if (!asked.ok) return asked.reason.includes('ENOENT') ? 'no `go` on PATH' : asked.reason;
  const [major = 0, minor = 0] = (/go(\d+)\.(\d+)/.exec(asked.output) ?? []).slice(1).map(Number);
  const isNewEnough = major > OLDEST_GO[0] || (major === OLDEST_GO[0] && minor >= OLDEST_GO[1]);
  return isNewEnough ? null : `needs Go ${OLDEST_GO.join('.')} or newer, found ${asked.output.trim()}`;
}

async function build(scratch: string, env: Environment, onProgress: (line: string) => void): Promise<string> {
  await copyFile(join(MODULE, 'go.mod'), join(scratch, 'go.mod'));
  await copyFile(join(MODULE, 'go.sum'), join(scratch, 'go.sum'));
  const executable = join(scratch, 'temporal');
  const go = spawn('go', buildArguments(executable), {
    cwd: scratch,
    env: await buildEnvironment(scratch, env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | string>((resolve, reject) => {
    go.once('error', reject);
    go.once('close', (status, signal) => resolve(status ?? String(signal)));
  });
  const output = followBuild(go.stderr, onProgress);
  const status = await ended.finally(output.stop);
  if (status !== 0) throw new Error(`go build ended with ${status}: ${output.errors().join(' | ')}`);
  return executable;
}

/** `-v` names each package as it is compiled, which is the progress; `-modcacherw` lets the module cache be removed. */
const buildArguments = (executable: string): string[] => [
  'build',
  '-v',
  '-trimpath',
  '-modcacherw',
  `-ldflags=-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${TEMPORAL_CLI_VERSION}`,
  '-o',
  executable,
  'github.com/temporalio/cli/cmd/temporal',
];

/** The user's own settings (proxy, certificates, flags) stand; only the caches are ours, and a go.work above them does not count. */
async function buildEnvironment(scratch: string, env: Environment): Promise<Record<string, string | undefined>> {
  const temporary = join(scratch, 'tmp');
  await mkdir(temporary);
  return {
    ...env,
    CGO_ENABLED: '0',
    GOWORK: 'off',
    GOPATH: join(scratch, 'path'),
    GOMODCACHE: join(scratch, 'modules'),
    GOCACHE: join(scratch, 'compiled'),
    GOTMPDIR: temporary,
  };
}

/** Counts what `go build -v` names, tells it every few seconds, and keeps the lines that are neither a download nor a package. */
function followBuild(stderr: Readable, onProgress: (line: string) => void): { readonly errors: () => string[]; readonly stop: () => void } {
  const startMs = performance.now();
  const errors: string[] = [];
  let packages = 0;
  createInterface({ input: stderr }).on('line', (line) => {
    if (/^[a-z0-9][\w.\-/~]*$/i.test(line)) packages += 1;
    else if (!line.startsWith('go: downloading ')) errors.push(line);
  });
  const tell = (): void => {
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    const share = Math.min(99, Math.round((100 * packages) / PACKAGES_IN_BUILD));
    onProgress(
      `building the Temporal CLI ${TEMPORAL_CLI_VERSION} with Go (once, about 4 minutes on 2 cores): ${seconds} s, ${share} % compiled`,
    );
  };
  tell();
  const timer = setInterval(tell, PROGRESS_EVERY_MS);
  return { errors: () => errors.slice(-8), stop: () => clearInterval(timer) };
}
