/** Whether anybody still owns a run: without an owner nobody watches the spending, so no new call or program is started. */
import { basename } from 'node:path';
import { stopped } from './failures.ts';
import { isOwned } from './storage/ownership.ts';

const rememberMs = 1_000;

/** Throws once the run has no living owner; looks at most once a second. */
export function createOwnerCheck(folder: string): () => void {
  let checkedAtMs = -Infinity;
  let owned = false;
  return () => {
    if (performance.now() - checkedAtMs > rememberMs) {
      owned = isOwned(folder);
      checkedAtMs = performance.now();
    }
    if (!owned)
      throw stopped(
        'paused',
        `the process that owned run ${basename(folder)} is gone; \`evenkeel resume ${basename(folder)}\` goes on with it`,
      );
  };
}
