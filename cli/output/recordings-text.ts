/** Messages about the recordings that a run replays. */
import { counted } from '../../domain/counted.ts';
import type { FreshRecording } from '../../activities/runs/recordings.ts';
import { plain } from './terminal.ts';

/** One line for each recording of which the run took a new copy. @param owned whether a process carries out the run */
export function grownText(grown: readonly FreshRecording[], owned: boolean): string[] {
  // Workers that run have read the old copy. A reply missing there ends their sweep; the next one reads the new copy.
  const later = owned
    ? '; the process that runs it still uses the old copy: `resume` after that process has ended'
    : '';
  return grown.map(({ file, models, outgrown }) => {
    const added = outgrown?.added ?? 0;
    const what = added === 0 ? 'no new reply, only formatted differently' : counted(added, 'new reply', 'new replies');
    return `recording ${plain(file)} of ${plain(models.join(', '))}: ${what}, copied into the run${later}`;
  });
}

export const missingText = (files: readonly string[]): string[] =>
  files.map((file) => `recording ${plain(file)} no longer exists; the run continues with its own copy`);
