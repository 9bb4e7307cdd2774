/** What a worker that a person started says while no run of its store goes on and others do: it would wait for ever, without a word. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { taskQueue } from './roles.ts';

const lookEveryMs = 5_000;

export interface ServedStore {
  readonly runsDir: string;
  readonly store: string;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Looks until a run of the store goes on, or the signal; says what it finds when that changes. */
export async function sayWhileUnused(client: Client, served: ServedStore): Promise<void> {
  let said = '';
  while (!served.signal.aborted) {
    const line = await lineOf(client, served).catch(() => '');
    if (line === null) return;
    if (line !== '' && line !== said) served.onLine(line);
    said = line;
    await sleep(lookEveryMs, undefined, { signal: served.signal }).catch(() => {});
  }
}

/** Null when the store is used. */
async function lineOf(client: Client, { runsDir, store }: ServedStore): Promise<string | null> {
  const own = taskQueue(store, 'workflow');
  const others = new Set<string>();
  for await (const { taskQueue: queue } of client.workflow.list({ query: `WorkflowType = 'sweep' AND ExecutionStatus = 'Running'` })) {
    if (queue === own) return null;
    others.add(queue);
  }
  if (others.size === 0) return `no run of ${runsDir} goes on yet at this server; waiting for one`;
  return (
    `no run of ${runsDir} goes on at this server, and runs of ${others.size} other runs director${others.size === 1 ? 'y' : 'ies'} do: ` +
    'this worker takes none of their steps. A worker serves the very folder that holds the run, on the machine of its disk (--runs-dir)'
  );
}
