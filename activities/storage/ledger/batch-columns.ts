import type { BatchChange } from './batch-book.ts';

/** In which column of a table of batches each field of a batch is. */
export const batchColumns: Readonly<Record<Exclude<keyof BatchChange, 'endReason'>, string>> = {
  answered: 'answered',
  uploadAsked: 'upload_asked',
  file: 'file',
  createAskedMs: 'create_asked_ms',
  endpointId: 'endpoint_id',
  cancelled: 'cancelled',
  shortReads: 'short_reads',
  fault: 'fault',
};
