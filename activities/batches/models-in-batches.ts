/** Which models have questions in batches, or waiting for one, whatever the spec says of them by now. */
import type { BatchBook } from '../storage/ledger/batch-book.ts';

export async function modelsInBatches(
  ledger: Pick<BatchBook, 'batchQueues' | 'openBatches'>,
): Promise<ReadonlySet<string>> {
  const waiting = [...(await ledger.batchQueues()), ...(await ledger.openBatches())];
  return new Set(waiting.map(({ answeringModel }) => answeringModel));
}
