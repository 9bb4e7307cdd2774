/**
 * Tends the batches of a run: makes them of the calls that wait, follows them at their endpoints, and stores their
 * answers. One attempt looks once; Temporal repeats it after a while, so nothing is held meanwhile.
 */
import { randomUUID } from 'node:crypto';
import type { RunRef, TendInput } from '../../schemas/steps.ts';
import { failureText } from '../calls/attempts/failure-text.ts';
import { drainFailure, inBatches } from '../failures.ts';
import type { Heartbeat } from '../heartbeat.ts';
import { ProviderFault } from '../providers/provider.ts';
import type { Run } from '../runs/opened/run.ts';
import type { Runs } from '../runs/runs.ts';
import type { BatchRecord } from '../storage/ledger/batch-book.ts';
import type { Fence } from '../storage/ledger/fence.ts';
import { advance } from './advance.ts';
import { nextBatchSize } from './gather.ts';
import { modelsInBatches } from './models-in-batches.ts';
import { NextLooks } from './next-looks.ts';
import { shortestWaitMs } from './patience.ts';
import { changed, mayBeSent, release, stopAfter, type TendedModel, type UnknownSince } from './tended-run.ts';

export interface TendDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly drain: AbortSignal;
  readonly checkKeys: (run: RunRef, attempt: number) => Promise<void>;
  /** See `TendedModel`. */
  readonly appearsWithinMs?: number;
  readonly goneAfterMs?: number;
  readonly nextLooks?: NextLooks;
}

/** Attempts that look for the first questions often; later ones less so, since a run may ask for hours without any. */
const eagerAttempts = 60;
const idleMs = 5_000;
/** What cannot be closed in so many attempts stays in the ledger, and the next resume collects it. */
const closingAttempts = 60;

export function createTendBatches(dependencies: TendDependencies): (input: TendInput) => Promise<void> {
  const { runs, heartbeat, drain, checkKeys, appearsWithinMs = 10_000, goneAfterMs = 10 * 60_000 } = dependencies;
  const { nextLooks = new NextLooks() } = dependencies;
  const unknownSince: UnknownSince = new Map();
  return ({ run: ref, closing }) =>
    heartbeat(async (signal, at) => {
      await checkKeys(ref, at.attempt);
      if (drain.aborted) throw drainFailure(drain);
      const run = await runs.open(ref);
      await run.checkOwner();
      const fence = await run.ledger.openUnit('run/batches', ref.epoch);
      const waits = await tend(run, fence, { signal, closing, appearsWithinMs, goneAfterMs, unknownSince, nextLooks });
      if (closing && (waits.length === 0 || at.attempt >= closingAttempts)) return;
      throw inBatches(Math.min(at.attempt < eagerAttempts ? shortestWaitMs : idleMs, ...waits));
    });
}

type Tending = Pick<
  TendedModel,
  'signal' | 'closing' | 'appearsWithinMs' | 'goneAfterMs' | 'unknownSince' | 'nextLooks'
>;

/** Returns how long each model's batches can wait; empty if nothing is to be waited for. */
async function tend(run: Run, fence: Fence, tending: Tending): Promise<number[]> {
  const { ledger } = run;
  const waits = await Promise.all(
    [...(await modelsInBatches(ledger))].map(async (id) => {
      const model = run.model(id);
      const { batches: endpoint } = await model.provider();
      if (endpoint === undefined) {
        await release({ run, fence, model }, null);
        return [];
      }
      const isStopped = tending.closing || (await ledger.stopOf(id)) !== null;
      return tendModel({ ...tending, run, fence, model, endpoint, isStopped });
    }),
  );
  return waits.flat();
}

async function tendModel(tended: TendedModel): Promise<number[]> {
  const { run, model } = tended;
  await gather(tended);
  const open = (await run.ledger.openBatches()).filter(({ answeringModel }) => answeringModel === model.id);
  const waits: number[] = [];
  for (const batch of open) waits.push(...(await looked(tended, batch)));
  return waits;
}

async function gather(tended: TendedModel): Promise<void> {
  const { run, fence, model } = tended;
  const queue = (await run.ledger.batchQueues()).find(({ answeringModel }) => answeringModel === model.id);
  if (queue === undefined) return;
  if (!mayBeSent(tended)) return release(tended, null);
  const size = nextBatchSize(queue, await run.ledger.lastBatch(model.id), Date.now());
  if (size > 0) await run.ledger.makeBatch(fence, model.id, randomUUID(), size);
}

/**
 * Returns how long the batch can wait; nothing for one that cannot be closed. A fault that may pass is only noted: a
 * batch stays as long as it takes.
 */
async function looked(tended: TendedModel, batch: BatchRecord): Promise<number[]> {
  const { run, signal, isStopped, closing, nextLooks } = tended;
  const { uuid } = batch;
  const leftMs = nextLooks.waitMs(uuid, isStopped);
  if (leftMs > 0) return [leftMs];
  try {
    await advance(tended, batch);
    if (batch.fault !== null) await changed(tended, batch, { fault: null });
    nextLooks.answered(uuid, Date.now() - batch.madeAtMs, batch.endpointId !== null);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProviderFault)) throw error;
    if (error.kind === 'stop' && (await run.ledger.stopOf(tended.model.id)) === null) await stopAfter(tended, error);
    await changed(tended, batch, { fault: error.unsent ?? failureText(error) });
    nextLooks.failed(uuid, error.retryAfterMs);
    if (closing && error.kind === 'stop') return [];
  }
  return [nextLooks.waitMs(uuid, isStopped)];
}
