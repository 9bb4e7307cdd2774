/**
 * Checks that a run still has an owner: without one, nobody watches the spending, so no new call or program may start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { stopped } from '../failures.ts';
import type { Ownership } from '../storage/catalog/run-catalog.ts';

const rememberMs = 1_000;
const againMs = 500;

/**
 * Rejects once the run has no living owner; looks at most once a second.
 * @param refuseMissing throws if the run itself is gone
 * @param patienceMs for an owner that may take its run again
 */
export function createOwnerCheck(
  runId: string,
  ownership: Pick<Ownership, 'isOwned'>,
  refuseMissing: () => void,
  patienceMs = 0,
): () => Promise<void> {
  let askedAtMs = -Infinity;
  let owned = Promise.resolve(false);
  const look = async (): Promise<boolean> => {
    refuseMissing();
    for (const lastMs = performance.now() + patienceMs; ; await sleep(againMs)) {
      if (await ownership.isOwned()) return true;
      if (performance.now() >= lastMs) return false;
    }
  };
  return async () => {
    if (performance.now() - askedAtMs > rememberMs) {
      askedAtMs = performance.now();
      owned = look();
    }
    if (!(await owned))
      throw stopped(
        'paused',
        `the process that owned run ${runId} has ended; \`evenkeel resume ${runId}\` continues the run`,
      );
  };
}
