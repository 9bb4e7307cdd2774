/**
 * Checks that a run still has an owner: without one, nobody watches the spending, so no new call or program may start.
 */
import { basename } from 'node:path';
import { stopped } from '../failures.ts';
import { refuseMoved } from '../storage/moved-run.ts';
import { isOwned } from '../storage/ownership.ts';

const rememberMs = 1_000;

/** Throws once the run has no living owner, or no folder; looks at most once a second. */
export function createOwnerCheck(folder: string): () => void {
  let checkedAtMs = -Infinity;
  let owned = false;
  return () => {
    if (performance.now() - checkedAtMs > rememberMs) {
      refuseMoved(folder);
      owned = isOwned(folder);
      checkedAtMs = performance.now();
    }
    if (!owned)
      throw stopped(
        'paused',
        `the process that owned run ${basename(folder)} has ended; ` +
          `\`evenkeel resume ${basename(folder)}\` continues the run`,
      );
  };
}
