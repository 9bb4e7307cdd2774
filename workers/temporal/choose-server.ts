/** Chooses the Temporal server: a named cluster, or an executable to start evenkeel's own server with. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MissingPartError } from '../../domain/errors.ts';
import { buildCli } from './build-cli.ts';
import { type Environment, cacheFolder } from './cache-folder.ts';
import { TEMPORAL_CLI_VERSION, cachedCli } from './cli-version.ts';
import { checkCache } from './check-cache.ts';
import { downloadCli } from './download-cli.ts';
import { outputOf } from './output-of.ts';
import { type TemporalSettings, clusterSettings } from './settings.ts';

export type ServerChoice =
  | { readonly kind: 'cluster'; readonly settings: TemporalSettings; readonly line: string }
  | { readonly kind: 'executable'; readonly executable: TemporalExecutable; readonly line: string };

/** A Temporal CLI that can run `server start-dev`. */
export interface TemporalExecutable {
  readonly path: string;
  /** Part of the database's file name: different server versions must not share a file. */
  readonly version: string;
}

export interface ChooseOptions {
  readonly env: Environment;
  /** Gets one line at a time, every few seconds while something is downloaded or built. */
  readonly onProgress: (line: string) => void;
  /** Where the CLI is downloaded from. Default: Temporal's own download service. */
  readonly downloadUrl?: string;
}

/**
 * Tries in this order: `TEMPORAL_ADDRESS`; a `temporal` executable on PATH; the one in the cache; a download;
 * a build with Go. `line` reports the choice. Throws `MissingPartError`, which lists these ways, when none works;
 * within 5 s if there is no Go. Throws `InputError` if the cache takes no files and the server is not there yet.
 */
export async function chooseServer(options: ChooseOptions): Promise<ServerChoice> {
  const settings = clusterSettings(options.env);
  if (settings !== null) {
    return {
      kind: 'cluster',
      settings,
      line: `Temporal: cluster at ${settings.address}, namespace ${settings.namespace} (TEMPORAL_ADDRESS)`,
    };
  }
  const onPath = await executableOnPath(options.env);
  if (onPath !== null) return executableChoice(onPath, 'found on PATH');
  return fromCacheOrNew(options);
}

async function fromCacheOrNew({ env, onProgress, downloadUrl }: ChooseOptions): Promise<ServerChoice> {
  const cache = cacheFolder(env);
  const path = cachedCli(cache);
  const executable = { path, version: TEMPORAL_CLI_VERSION };
  if (isExecutable(path)) return executableChoice(executable, 'from the cache');
  // An image may have everything in a cache that can only be read; a new server has to be put there.
  checkCache(env);
  const download = await downloadCli({ cache, onProgress, ...(downloadUrl === undefined ? {} : { url: downloadUrl }) });
  if (download.ok) return executableChoice(executable, 'downloaded');
  const build = await buildCli({ cache, env, onProgress });
  if (build.ok) return executableChoice(executable, 'built from the Go module proxy');
  throw new MissingPartError(noServer(download.reason, build.reason));
}

const executableChoice = (executable: TemporalExecutable, origin: string): ServerChoice => ({
  kind: 'executable',
  executable,
  line: `Temporal: ${executable.path}, version ${executable.version} (${origin})`,
});

const noServer = (noDownload: string, noBuild: string): string =>
  [
    'no Temporal server, and no way to start one. Do one of these:',
    '  - set TEMPORAL_ADDRESS=host:port of a running server (and TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, ' +
      'TEMPORAL_TLS if it needs them)',
    "  - install Temporal's command line tool, so that `temporal` is on PATH",
    `  - let this machine download it (${noDownload})`,
    `  - install Go, so that it can be built from the Go module proxy (${noBuild})`,
  ].join('\n');

/** The first `temporal` on PATH that prints its version. */
export async function executableOnPath(env: Environment): Promise<TemporalExecutable | null> {
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== '')) {
    const path = join(folder, 'temporal');
    const version = isExecutable(path) ? await versionOf(path) : null;
    if (version !== null) return { path, version };
  }
  return null;
}

async function versionOf(path: string): Promise<string | null> {
  const result = await outputOf(path, ['--version'], { limitMs: 3_000 });
  return result.ok ? (/^temporal version (\S+)/.exec(result.output)?.[1] ?? null) : null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
