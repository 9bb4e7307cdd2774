/**
 * Takes a batch one step further: upload, create, ask for its state, collect. Each request that changes something at
 * the endpoint is noted before it is sent and after it was answered. After a kill in between, the endpoint is asked for
 * its result, by the batch's uuid, before it is sent again.
 */
import type { EndpointBatch } from '../providers/batches/batch-endpoint.ts';
import type { BatchRecord } from '../storage/ledger/batch-book.ts';
import { collect } from './collect.ts';
import { inputFileName, withInputFile } from './input-file.ts';
import { changed, mayBeSent, release, stopModel, type TendedModel } from './tended-run.ts';
import { lookedUp } from './unknown-batch.ts';

/** Throws `ProviderFault` if the endpoint cannot be asked; the batch is then continued later. */
export async function advance(tended: TendedModel, batch: BatchRecord): Promise<void> {
  const { endpointId } = batch;
  if (endpointId !== null) return follow(tended, batch, endpointId);
  const known = batch.createAskedMs === null ? null : await foundAgain(tended, batch);
  if (known !== null) return void (await changed(tended, batch, { endpointId: known.id }));
  if (!mayNotExist(tended, batch)) return;
  if (!mayBeSent(tended)) return giveUp(tended, batch);
  if (batch.requests === 0) return void (await changed(tended, batch, { endReason: 'empty' }));
  const file = batch.file ?? (await uploaded(tended, batch));
  const asking = await changed(tended, batch, { createAskedMs: Date.now() });
  const created = await tended.endpoint.create(file, { run: tended.run.runId, uuid: batch.uuid }, tended.signal);
  await changed(tended, asking, { endpointId: created.id });
}

/** True if no creation was requested, or one that would have been found by now. */
const mayNotExist = ({ appearsWithinMs }: TendedModel, { createAskedMs }: BatchRecord): boolean =>
  createAskedMs === null || Date.now() - createAskedMs >= appearsWithinMs;

/** If there are several, which two processes would have to create at once, the others are cancelled unanswered. */
async function foundAgain({ endpoint, signal }: TendedModel, batch: BatchRecord): Promise<EndpointBatch | null> {
  const [first, ...others] = await endpoint.find(batch.uuid, batch.madeAtMs, signal);
  for (const other of others) await endpoint.cancel(other.id, signal);
  return first ?? null;
}

async function uploaded(tended: TendedModel, batch: BatchRecord): Promise<string> {
  const { endpoint, signal } = tended;
  const name = inputFileName(batch);
  const earlier = batch.uploadAsked ? await endpoint.findFile(name, batch.madeAtMs, signal) : null;
  const noted = await changed(tended, batch, { uploadAsked: true });
  const file = earlier ?? (await withInputFile(tended, noted, (path) => endpoint.upload(path, name, signal)));
  await changed(tended, noted, { file });
  return file;
}

async function giveUp(tended: TendedModel, batch: BatchRecord): Promise<void> {
  await release(tended, batch);
  await changed(tended, batch, { endReason: 'cancelled' });
}

async function follow(tended: TendedModel, batch: BatchRecord, endpointId: string): Promise<void> {
  const { endpoint, signal, isStopped, unknownSince } = tended;
  const seen = (await endpoint.get(endpointId, signal)) ?? (await lookedUp(tended, batch, endpointId));
  unknownSince.delete(batch.uuid);
  if (seen === null) return collect(tended, batch, null);
  if (seen.state === 'failed') return refused(tended, batch, seen);
  if (seen.state !== 'open') return collect(tended, batch, seen);
  const done = seen.answered + seen.failed;
  const now = done === batch.answered ? batch : await changed(tended, batch, { answered: done });
  if (!isStopped || batch.cancelled) return;
  await endpoint.cancel(endpointId, signal);
  await changed(tended, now, { cancelled: true });
}

/** Nothing was asked. If only too much waits at the endpoint, the lines wait for another batch. */
async function refused(tended: TendedModel, batch: BatchRecord, { fault }: EndpointBatch): Promise<void> {
  if (fault?.isCrowded === true && mayBeSent(tended)) {
    await tended.run.ledger.unbatchLines(tended.fence, batch.id, 0);
    await changed(tended, batch, { endReason: 'crowded' });
    return;
  }
  await release(tended, batch);
  await changed(tended, batch, { endReason: 'refused' });
  if (fault?.isCrowded === true || !tended.model.asksInBatches) return;
  await stopModel(
    tended,
    `the endpoint refused a batch of ${batch.requests} requests: ${(fault?.message ?? '').replace(/\.$/, '')}. If it ` +
      'takes no batches of this model, remove mode: batch, or correct what the message names, and resume',
    { of: 'model', path: ['mode'] },
  );
}
