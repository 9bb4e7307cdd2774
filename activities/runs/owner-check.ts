/**
 * Checks that a run still has an owner: without one, nobody watches the spending, so no new call or program may start.
 */
import { stopped } from '../failures.ts';
import type { Ownership } from '../storage/catalog/run-catalog.ts';

const rememberMs = 1_000;

/**
 * Rejects once the run has no living owner; looks at most once a second.
 * @param refuseMissing throws if the run itself is gone
 */
export function createOwnerCheck(
  runId: string,
  ownership: Pick<Ownership, 'isOwned'>,
  refuseMissing: () => void,
): () => Promise<void> {
  let askedAtMs = -Infinity;
  let owned = Promise.resolve(false);
  const look = async (): Promise<boolean> => {
    refuseMissing();
    return ownership.isOwned();
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
