/** What `chooseServer` would choose on this machine, without downloading or building anything. */
import { executableOnPath, isExecutable } from './choose-server.ts';
import { cacheFolder, type Environment } from './cache-folder.ts';
import { cachedCli } from './cli-version.ts';
import { outputOf } from './output-of.ts';
import { clusterSettings } from './settings.ts';

export async function describeChoice(env: Environment): Promise<{ readonly ok: boolean; readonly line: string }> {
  const cluster = clusterSettings(env);
  if (cluster !== null)
    return { ok: true, line: `cluster at ${cluster.address}, namespace ${cluster.namespace} (TEMPORAL_ADDRESS)` };
  const onPath = await executableOnPath(env);
  if (onPath !== null) return { ok: true, line: `${onPath.path}, version ${onPath.version} (PATH)` };
  const cached = cachedCli(cacheFolder(env));
  if (isExecutable(cached)) return { ok: true, line: `${cached} (from the cache)` };
  const go = await outputOf('go', ['version'], { limitMs: 3_000 });
  if (go.ok)
    return {
      ok: true,
      line: `none yet; the first run downloads it or builds it with ${go.output.trim()}, about 3 minutes once`,
    };
  return {
    ok: false,
    line: 'set TEMPORAL_ADDRESS, install the temporal command line tool, or install Go so that it can be built',
  };
}
