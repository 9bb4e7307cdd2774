/**
 * Asks all questions of a run of pass@k, with the program's steps but without Temporal and without running programs. A
 * fault point can interrupt it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { NextLooks } from '../../../activities/batches/next-looks.ts';
import { createTendBatches } from '../../../activities/batches/tend.ts';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { createHandover } from '../../../activities/calls/handover.ts';
import { createGenerate } from '../../../activities/generate.ts';
import type { Heartbeat } from '../../../activities/heartbeat.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import type { WaitingSteps } from '../../../activities/waiting-steps.ts';
import type { RunRef } from '../../../schemas/steps.ts';
import { join } from 'node:path';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import type { Ledger } from '../../../activities/storage/ledger/ledger.ts';
import { openRunLedger } from '../../../activities/storage/run-ledger.ts';

const tickMs = 50;
/** Batches are looked at so many times as often as in a run. */
const clockRate = 40;

export interface AskedRun {
  /** Called before each look; true ends the pages, as a pause does, and closes the batches. */
  readonly stopsWhen?: (ledger: Ledger) => Promise<boolean>;
  /** Leaves the batches open at its end, as Ctrl-C does. */
  readonly leavesBatches?: boolean;
  /** Name of the pages' steps. Another one than an earlier owner's must take over the questions that wait. */
  readonly stepName?: string;
}

export async function askAll(
  runsDir: string,
  runId: string,
  { stopsWhen = async () => false, leavesBatches = false, stepName = '1' }: AskedRun = {},
): Promise<void> {
  const folder = join(runsDir, runId);
  const manifest = await readManifest(folder);
  const ownership = await ownerLock(folder).take();
  if (ownership === null) throw new Error(`${folder} has an owner`);
  const ledger = await openRunLedger(folder, manifest);
  const ref: RunRef = { runId, uuid: manifest.uuid, epoch: await ledger.takeOver('a test') };
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  const { revisions, spec, batches } = await runs.open(ref);
  const samples = Number(Object(spec.studies[0]?.settings)['samples']);
  const drain = new AbortController().signal;
  const checkKeys = (): Promise<void> => Promise.resolve();
  const handover = createHandover(null);
  const generate = createGenerate({
    ...{ runs, heartbeat: counting(stepName), drain, handover, waiting: noWaits, checkKeys, runPrograms: () => null },
  });
  const nextLooks = new NextLooks(() => clockRate * performance.now());
  const tending = { runs, drain, checkKeys, appearsWithinMs: 300, goneAfterMs: 2_000, nextLooks };
  const tend = createTendBatches({ ...tending, heartbeat: counting() });
  const close = createTendBatches({ ...tending, heartbeat: counting() });
  const open = new Map(revisions.flatMap(({ pages }) => pages).map((page) => [page.page, page]));
  while (open.size > 0 && !(await stopsWhen(ledger))) {
    for (const [page, { cells }] of open) {
      const items = cells.map((_, index): [number, number] => [index, 1]);
      const step = { run: ref, page, step: 'generate', ask: 0, samples, items } as const;
      if (await ends(() => generate(step))) open.delete(page);
    }
    if (batches) await ends(() => tend({ run: ref, closing: false }));
    await sleep(tickMs);
  }
  while (batches && !leavesBatches && !(await ends(() => close({ run: ref, closing: true })))) await sleep(tickMs);
  await runs.close();
  await ledger.close();
  await ownership.release();
}

/** The steps of all pages are looked at in turn here. */
const noWaits: WaitingSteps = { count: () => 0, afterWait: (work) => work() };

function counting(step = '1'): Heartbeat {
  let attempt = 0;
  return (work) => {
    attempt += 1;
    return work(new AbortController().signal, { step, attempt });
  };
}

/** False if the step is to be tried again later. */
async function ends(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    if (error instanceof ApplicationFailure && error.type === 'InBatches') return false;
    throw error;
  }
}

const [runsDir, runId] = process.argv.slice(2);
if (import.meta.main && runsDir !== undefined && runId !== undefined) await askAll(runsDir, runId);
