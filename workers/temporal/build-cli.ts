/** Builds the Temporal CLI with Go from the Go module proxy; `data/temporal-cli` pins versions and checksums. */
import { copyFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from './cache-folder.ts';
import { TEMPORAL_CLI_VERSION, temporalCli } from './cli-version.ts';
import { goIn, isPackage } from './go-command.ts';
import { trimModules } from './trim-modules.ts';
import { type Obtained, obtainProgram } from './obtain-program.ts';
import { outputOf } from './output-of.ts';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';

/** For Go modules and compiled packages during the build. */
const DISK_BYTES = 4e9;
const PROGRESS_EVERY_MS = 5_000;
/** The first version that can fetch the newer Go that go.mod asks for, and knows `tool` lines. */
const OLDEST_GO = [1, 24] as const;
const COMMAND = 'github.com/temporalio/cli/cmd/temporal';
/** Packages that together import most of what the command uses of the standard library. */
const STANDARD_LIBRARY = [
  'net/http/httputil',
  'net/http/pprof',
  'html/template',
  'database/sql',
  'encoding/xml',
  'log/slog',
  'testing',
];
/**
 * `-v` prints each package as it is compiled, which shows progress; `-modcacherw` allows removing the module cache.
 * DWARF, a twelfth of the work, is left out since the linker would drop it.
 */
const COMPILING = ['-v', '-modcacherw', '-trimpath', '-gcflags=all=-dwarf=false'];
const LINKING = `-ldflags=-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${TEMPORAL_CLI_VERSION}`;
const MODULE = fileURLToPath(new URL('../../data/temporal-cli', import.meta.url));

export interface BuildOptions {
  readonly cache: string;
  readonly env: Environment;
  readonly onProgress: (line: string) => void;
}

/** Takes about three minutes on two cores. Returns at once if there is no suitable Go. */
export async function buildCli({ cache, env, onProgress }: BuildOptions): Promise<Obtained> {
  const unfit = await whyGoIsUnfit(env);
  if (unfit !== null) return { ok: false, reason: unfit };
  try {
    makeFolder(cache);
    const disk = await statfs(cache);
    const freeBytes = disk.bavail * disk.bsize;
    if (freeBytes < DISK_BYTES)
      return { ok: false, reason: `needs ${gigabytes(DISK_BYTES)} free in ${cache}, has ${gigabytes(freeBytes)}` };
    await obtainProgram(temporalCli(cache), onProgress, (scratch) => build(scratch, env, onProgress));
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

/** Modules are downloaded while the standard library, which needs none of them, compiles. */
async function build(scratch: string, env: Environment, onProgress: (line: string) => void): Promise<string> {
  await copyFile(join(MODULE, 'go.mod'), join(scratch, 'go.mod'));
  await copyFile(join(MODULE, 'go.sum'), join(scratch, 'go.sum'));
  const executable = join(scratch, 'temporal');
  const progress = startProgress(onProgress);
  try {
    const go = await goIn(scratch, env, progress.onLine);
    await trimModules(go, scratch, join(MODULE, 'instead'));
    const [packages = ''] = await allOf([
      go(['list', '-modcacherw', '-deps', COMMAND]),
      go(['build', ...COMPILING, ...STANDARD_LIBRARY]),
    ]);
    progress.expect(packages.trim().split('\n').length);
    await go(['build', ...COMPILING, LINKING, '-o', executable, COMMAND]);
    return executable;
  } finally {
    progress.stop();
  }
}

/** Waits for all of them even if one fails: none may go on in a folder that is removed. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

interface Progress {
  /** A line that `go` printed. */
  readonly onLine: (line: string) => void;
  /** Sets the total number of packages to compile. */
  readonly expect: (packages: number) => void;
  readonly stop: () => void;
}

/** Counts the modules and packages that `go` names, and reports every few seconds. */
function startProgress(onProgress: (line: string) => void): Progress {
  const startMs = performance.now();
  let [packages, modules, expected] = [0, 0, 0];
  const tell = (): void => {
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    const share = Math.min(99, Math.round((100 * packages) / expected));
    const state = expected === 0 ? `${modules} modules downloaded` : `${share} % compiled`;
    onProgress(
      `building the Temporal CLI ${TEMPORAL_CLI_VERSION} with Go (once, about 3 minutes on 2 cores): ` +
        `${seconds} s, ${state}`,
    );
  };
  tell();
  const timer = setInterval(tell, PROGRESS_EVERY_MS);
  return {
    onLine: (line) => {
      if (isPackage(line)) packages += 1;
      else if (line.startsWith('go: downloading ')) modules += 1;
    },
    expect: (count) => {
      expected = count;
    },
    stop: () => clearInterval(timer),
  };
}
