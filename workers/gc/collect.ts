/** Everything that `gc` may remove for a runs directory and this machine's caches. */
import { join } from 'node:path';
import { directoryLeftovers } from '../../activities/storage/gc/leftovers.ts';
import { oldRuns, type WantedRuns } from '../../activities/storage/gc/old-runs.ts';
import { type Collection, together } from '../../activities/storage/gc/removable.ts';
import { runLeftovers } from '../../activities/storage/gc/run-leftovers.ts';
import type { Environment } from '../temporal/cache-folder.ts';
import type { CacheName } from './cache-names.ts';
import { collectCaches } from './collect-caches.ts';
import { serverLeftovers } from './server-leftovers.ts';
import { temporaryLeftovers } from './temporary-leftovers.ts';

export interface Wanted extends WantedRuns {
  readonly env: Environment;
  /** The system's folder for temporary files. */
  readonly temporary: string;
  /** Caches to remove whole. */
  readonly caches: ReadonlySet<CacheName>;
}

/** Only looks. */
export async function collect(wanted: Wanted): Promise<Collection> {
  const { runsDir, ids, env, temporary, caches, nowMs } = wanted;
  const runs = await oldRuns(wanted);
  const gone = new Set(runs.removable.map(({ name }) => name));
  const inRuns = await Promise.all(ids.filter((id) => !gone.has(id)).map((id) => runLeftovers(join(runsDir, id), id)));
  const orphans = [
    ...directoryLeftovers(runsDir, nowMs),
    ...inRuns.flat(),
    ...(await serverLeftovers(join(runsDir, '.temporal'))),
    ...temporaryLeftovers(temporary, nowMs),
  ];
  return together([runs, collectCaches(env, caches, nowMs), { removable: orphans, kept: [] }]);
}
