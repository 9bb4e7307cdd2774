/** Which models have questions in batches, or waiting for one, whatever the spec says of them by now. */
import type { Spec } from '../../schemas/spec.ts';
import type { BatchBook } from '../storage/ledger/batch-book.ts';

export async function modelsInBatches(
  ledger: Pick<BatchBook, 'batchQueues' | 'openBatches'>,
): Promise<ReadonlySet<string>> {
  const waiting = [...(await ledger.batchQueues()), ...(await ledger.openBatches())];
  return new Set(waiting.map(({ answeringModel }) => answeringModel));
}

/**
 * Whether a run that is opened now has batches to follow, and the models whose batches an earlier owner of it left
 * open.
 */
export async function batchesOf(
  { models }: Pick<Spec, 'models'>,
  ledger: Parameters<typeof modelsInBatches>[0],
): Promise<{ readonly batches: boolean; readonly leftInBatches: ReadonlySet<string> }> {
  const leftInBatches = await modelsInBatches(ledger);
  return { leftInBatches, batches: leftInBatches.size > 0 || models.some(({ mode }) => mode === 'batch') };
}
