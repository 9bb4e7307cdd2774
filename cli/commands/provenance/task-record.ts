import type { BlobStore } from '../../../activities/storage/blobs/blob-store.ts';
import { readInput } from '../../../activities/storage/blobs/run-blobs.ts';
import type { ExplainedAnswer } from '../../../analysis/explain/explanation.ts';

/** The normalised record of an answer's task, from the run's copy of its benchmark; null if the copy was left out. */
export async function taskRecord(blobs: BlobStore, { dataSet, task }: ExplainedAnswer): Promise<unknown> {
  if (dataSet === null || task === null) return null;
  const text = await readInput(blobs, dataSet).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'CorruptionError' && error.message.includes('missing')) return '';
    throw error;
  });
  const hash = String(task['record_sha256']);
  const line = text.split('\n').find((one) => one.includes(hash));
  return line === undefined ? null : (JSON.parse(line) as unknown);
}
