/**
 * A batch that its endpoint does not know. It may be gone, or a part of the endpoint has not heard of it yet. What is
 * asked again by calls is paid for a second time, so that comes last.
 */
import type { EndpointBatch } from '../providers/batches/batch-endpoint.ts';
import { ProviderFault } from '../providers/provider.ts';
import type { BatchRecord } from '../storage/ledger/batch-book.ts';
import type { TendedModel } from './tended-run.ts';

/**
 * The batch as the endpoint's list has it; null once it has been neither known nor listed for `goneAfterMs`, and is
 * cancelled in case it goes on. Throws `ProviderFault` until then.
 */
export async function lookedUp(tended: TendedModel, batch: BatchRecord, id: string): Promise<EndpointBatch | null> {
  const { endpoint, signal, unknownSince, goneAfterMs } = tended;
  const listed = (await endpoint.find(batch.uuid, batch.madeAtMs, signal)).find((one) => one.id === id);
  if (listed !== undefined) return listed;
  const nowMs = Date.now();
  const sinceMs = unknownSince.get(batch.uuid) ?? nowMs;
  unknownSince.set(batch.uuid, sinceMs);
  const leftMs = sinceMs + goneAfterMs - nowMs;
  if (leftMs > 0)
    throw new ProviderFault(
      'retry',
      `the endpoint does not know batch ${id} (HTTP 404), and its list lacks it: it is asked again for ` +
        `${Math.ceil(leftMs / 1000)} s, and then the questions are asked by calls`,
    );
  await endpoint.cancel(id, signal);
  return null;
}
