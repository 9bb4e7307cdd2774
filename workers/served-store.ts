/**
 * Tells a person who started a worker that only runs of other stores are active;
 * otherwise it would wait forever in silence.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { counted } from '../domain/counted.ts';
import { taskQueue } from './roles.ts';

const pollMs = 5_000;

export interface ServedStore {
  readonly runsDir: string;
  readonly store: string;
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

/** Null when the store is used. */
async function lineOf(client: Client, { runsDir, store }: ServedStore): Promise<string | null> {
  const own = taskQueue(store, 'workflow');
  const others = new Set<string>();
  for await (const { taskQueue: queue } of client.workflow.list({
    query: `WorkflowType = 'sweep' AND ExecutionStatus = 'Running'`,
  })) {
    if (queue === own) return null;
    others.add(queue);
  }
  if (others.size === 0) return `no active run of ${runsDir} on this server yet; waiting for one`;
  return (
    `no active run of ${runsDir} on this server, but active runs of ` +
    `${counted(others.size, 'other runs directory', 'other runs directories')}: this worker cannot run their steps. ` +
    'Start a worker with --runs-dir set to the folder that holds the run, on the machine with its disk'
  );
}
