/** A worker of a run that is fully answered: seals some pages, and may merge them. A fault point can interrupt it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import type { Heartbeat } from '../../../activities/heartbeat.ts';
import { createSeal } from '../../../activities/record.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import type { RunRef } from '../../../schemas/steps.ts';

export interface SealedPages {
  readonly runsDir: string;
  readonly run: RunRef;
  readonly pages: readonly string[];
  /** As many sealed pages are merged at once; null: none. */
  readonly mergedPages: number | null;
  /** Before each page. */
  readonly pauseMs: number;
}

async function sealPages({ runsDir, run, pages, mergedPages, pauseMs }: SealedPages): Promise<void> {
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  const heartbeat: Heartbeat = (work) => work(new AbortController().signal, { step: '1', attempt: 1 });
  const { sealPage } = createSeal({ runs, heartbeat, mergedPages });
  for (const page of pages) {
    await sleep(pauseMs);
    await sealPage({ run, page });
  }
  await runs.close();
}

const [asked] = process.argv.slice(2);
if (import.meta.main && asked !== undefined) await sealPages(JSON.parse(asked) as SealedPages);
