/** Everything that `gc` may remove of a store's runs and of this machine's caches. */
import { join } from 'node:path';
import pLimit from 'p-limit';
import { folderRuns } from '../../activities/storage/gc/folder-runs.ts';
import { directoryLeftovers } from '../../activities/storage/gc/leftovers.ts';
import { oldRuns, type WantedRuns } from '../../activities/storage/gc/old-runs.ts';
import { type Collection, type Removable, together } from '../../activities/storage/gc/removable.ts';
import { withoutUnwritable } from '../../activities/storage/gc/unwritable.ts';
import { storeAt } from '../../activities/storage/opened-store.ts';
import { outputLeftovers } from '../outputs/noted-outputs.ts';
import type { Environment } from '../temporal/cache-folder.ts';
import type { CacheName } from './cache-names.ts';
import { collectCaches } from './collect-caches.ts';
import { serverLeftovers } from './server-leftovers.ts';
import { temporaryLeftovers } from './temporary-leftovers.ts';

export interface Wanted extends WantedRuns {
  readonly runsDir: string;
  readonly env: Environment;
  /** The system's folder for temporary files. */
  readonly temporary: string;
  /** Caches to remove whole. */
  readonly caches: ReadonlySet<CacheName>;
}

const atATime = 8;

/** Only looks. */
export async function collect(wanted: Wanted): Promise<Collection> {
  const { runsDir, ids, env, temporary, caches, nowMs } = wanted;
  const servers = storeAt(runsDir);
  const keeper = servers?.kept ?? folderRuns(runsDir);
  const runs = await oldRuns(keeper, wanted);
  const gone = new Set(runs.removable.map(({ name }) => name));
  const limit = pLimit(atATime);
  const inRuns = await Promise.all(
    ids.filter((id) => !gone.has(id)).map((id) => limit(() => keeper.leftovers(id, nowMs))),
  );
  const orphans = servers === null ? await leftoversOfFolder(runsDir, nowMs) : await servers.leftovers(nowMs);
  return together([
    runs,
    collectCaches(env, caches, nowMs),
    servers === null ? withoutUnwritable(orphans) : { removable: orphans, kept: [] },
    ...inRuns,
    withoutUnwritable(temporaryLeftovers(temporary, nowMs)),
    withoutUnwritable(outputLeftovers(env, nowMs)),
  ]);
}

const leftoversOfFolder = async (runsDir: string, nowMs: number): Promise<Removable[]> => [
  ...directoryLeftovers(runsDir, nowMs),
  ...(await serverLeftovers(join(runsDir, '.temporal'))),
];
