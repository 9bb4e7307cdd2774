/** How the server treats batches of a model, and which of them fail. */
import { z } from 'zod';

const first = (what: string) =>
  z.int().min(0).default(0).describe(`The first this many ${what}; counted from the server's start.`);

export const batchTraits = z.strictObject({
  /** Time from the creation of a batch to its end, milliseconds. */
  ms: z.number().min(0).default(0),
  /** Probability that a line gets an error (500) instead of an answer; fixed by its `custom_id`. */
  lineErrors: z.number().min(0).max(1).default(0),
  /** Batches whose file is refused. */
  refused: first('batches'),
  /** Batches refused because too much is waiting (`token_limit_exceeded`), which passes. */
  crowded: first('batches'),
  /** Batches that expire after half of their lines. */
  expired: first('batches'),
  /** Batches that expire before their first line. */
  expiredUnasked: first('batches'),
  /** Whether the error file of a cancelled batch has a line for each request that was not answered. */
  cancelledLines: z.boolean().default(false),
  /** Creations that are answered with 500 although the batch was created. */
  lostCreations: first('creations'),
  /** Creations that are answered with 500 and create nothing. */
  failedCreations: first('creations'),
  /** Uploads that are answered with 500 although the file was stored. */
  lostUploads: first('uploads'),
  /** Looks at a batch that are answered with 404, although the list has it. */
  lostLooks: first('looks'),
  /** Looks that are answered with 404 while the list lacks the batch, too. */
  unknownLooks: first('looks'),
  /** Looks that are answered with 429 and `Retry-After: 60`. */
  busyLooks: first('looks'),
  /** Downloads that end half way: the first with a broken connection, the next as if that were all, and so on. */
  cutDownloads: first('downloads'),
  /** Downloads of a file that the server no longer keeps (404). */
  lostFiles: first('downloads'),
});
export type BatchTraits = z.infer<typeof batchTraits>;
