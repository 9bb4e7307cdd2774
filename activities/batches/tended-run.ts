/** What the steps of tending batches share. */
import type { ProviderFault, SpecField } from '../providers/provider.ts';
import type { AskedModel } from '../calls/asked-model.ts';
import type { BatchEndpoint } from '../providers/batches/batch-endpoint.ts';
import type { Run } from '../runs/opened/run.ts';
import type { BatchChange, BatchRecord } from '../storage/ledger/batch-book.ts';
import type { Fence } from '../storage/ledger/fence.ts';
import type { NextLooks } from './next-looks.ts';

/** Since when batches are not known, milliseconds since 1970, by uuid. A new worker begins to count again. */
export type UnknownSince = Map<string, number>;

export interface TendedModel {
  readonly run: Run;
  readonly fence: Fence;
  readonly signal: AbortSignal;
  readonly model: AskedModel;
  readonly endpoint: BatchEndpoint;
  /** Whether no page of the run adds questions any more. */
  readonly closing: boolean;
  /** Whether the model takes no further questions, so that what waits is given back or cancelled. */
  readonly isStopped: boolean;
  /** How long a creation whose result was lost may take to appear among the endpoint's batches. */
  readonly appearsWithinMs: number;
  /** How long a batch is asked for that the endpoint does not know. */
  readonly goneAfterMs: number;
  readonly unknownSince: UnknownSince;
  readonly nextLooks: NextLooks;
}

/** Whether what was not sent yet may be: a model whose mode was changed meanwhile is asked by calls. */
export const mayBeSent = ({ isStopped, model }: TendedModel): boolean => !isStopped && model.asksInBatches;

export const changed = ({ run, fence }: TendedModel, batch: BatchRecord, change: BatchChange): Promise<BatchRecord> =>
  run.ledger.changeBatch(fence, batch.id, change);

/** Lines given back in one transaction, which others wait for. */
const together = 500;

/**
 * Takes back the reservations of a batch's lines (of all, or of those named), or of the calls that wait for one:
 * nothing was answered.
 */
export async function release(
  { run, fence, model }: Pick<TendedModel, 'run' | 'fence' | 'model'>,
  batch: BatchRecord | null,
  intents?: readonly number[],
): Promise<void> {
  const at = { batch: batch?.id ?? null, answeringModel: model.id, ...(intents === undefined ? {} : { intents }) };
  while ((await run.ledger.releaseLines(fence, at, together)) === together) await moment();
}

/** Lets the event loop go on: heartbeats, and the answers of other steps. */
export const moment = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The model stops, as after a refused call; the others go on. */
export const stopModel = ({ run, model }: TendedModel, message: string, field: SpecField | null): Promise<void> =>
  run.ledger.setStop(model.id, 'model_stopped', `${model.id}: ${message} (${model.specPlace(field)})`);

export const stopAfter = (tended: TendedModel, fault: ProviderFault): Promise<void> =>
  stopModel(tended, fault.message, fault.specField);
