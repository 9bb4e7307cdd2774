/** What became of recordings that a run goes by, for a person. */
import type { FreshRecording } from '../activities/recordings.ts';
import { isOwned } from '../activities/storage/ownership.ts';
import { plain } from './terminal.ts';

/** One line for each recording that the run has taken again. */
export function grownText(runFolder: string, grown: readonly FreshRecording[]): string[] {
  // Its workers have read the old copy. What they lack in it ends the sweep, and the next one reads the new copy.
  const later = isOwned(runFolder) ? '; the process that carries the run out has the old copy: `resume` when it has ended' : '';
  return grown.map(({ file, models, outgrown }) => {
    const added = outgrown?.added ?? 0;
    const what = added === 0 ? 'no new reply, written in another way' : `${added} new ${added === 1 ? 'reply' : 'replies'}`;
    return `recording ${plain(file)} of ${plain(models.join(', '))}: ${what}, taken into the run${later}`;
  });
}

export const missingText = (files: readonly string[]): string[] =>
  files.map((file) => `recording ${plain(file)} is not there any more; the run goes on with its copy`);
