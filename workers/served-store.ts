/**
 * Tells a person who started a worker that only runs of other stores are active;
 * otherwise it would wait forever in silence.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { counted } from '../domain/counted.ts';
import { storeName } from '../activities/storage/opened-store.ts';
import { queuePrefix } from './roles.ts';

const pollMs = 5_000;

export interface ServedStore {
  readonly runsDir: string;
  readonly store: string;
  readonly build: string;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Polls until a run of the store is active or the signal aborts; reports each change. */
export async function reportWhileUnused(client: Client, served: ServedStore): Promise<void> {
  let reported = '';
  while (!served.signal.aborted) {
    const line = await lineOf(client, served).catch(() => '');
    if (line === null) return;
    if (line !== '' && line !== reported) served.onLine(line);
    reported = line;
    await sleep(pollMs, undefined, { signal: served.signal }).catch(() => {});
  }
}

/** Null when a run of the store is active that this build may help. */
async function lineOf(client: Client, { runsDir, store, build }: ServedStore): Promise<string | null> {
  const name = storeName(runsDir);
  const own = queuePrefix(store);
  let hasOtherBuild = false;
  const others = new Set<string>();
  for await (const { taskQueue: queue, memo } of client.workflow.list({
    query: `WorkflowType = 'sweep' AND ExecutionStatus = 'Running'`,
  })) {
    const isOfStore = queue.startsWith(own);
    if (isOfStore && memo?.['build'] === build) return null;
    if (isOfStore) hasOtherBuild = true;
    else others.add(queue);
  }
  if (hasOtherBuild)
    return (
      `the active runs of ${name} were started by another build of evenkeel than this one (${build}), so this ` +
      'worker takes none of their steps. To help them, start a worker of the program that started them; to continue ' +
      'a run with this program, pause it and resume it'
    );
  if (others.size === 0) return `no active run of ${name} on this server yet; waiting for one`;
  return (
    `no active run of ${name} on this server, but active runs of ` +
    `${counted(others.size, 'other runs directory', 'other runs directories')}: this worker cannot run their steps. ` +
    'Start a worker with --runs-dir set to the folder that holds the run, on the machine with its disk'
  );
}
