/**
 * Whether a model is stopped, as far as this process knows: for calls that wait for their account, which ask again and
 * again. Each reservation asks the ledger itself.
 */
import type { Ledger } from '../storage/ledger/ledger.ts';

/** A stop is known to waiting calls after at most this long, and one look. */
const lookAgainMs = 100;

export function createKnownStops(ledger: Pick<Ledger, 'stopOf'>): (model: string) => boolean {
  const known = new Map<string, boolean>();
  const lookedMs = new Map<string, number>();
  // A ledger that cannot be read is told by the reservation.
  const look = (model: string): void =>
    void ledger.stopOf(model).then(
      (stop) => known.set(model, stop !== null),
      () => {},
    );
  return (model) => {
    const nowMs = performance.now();
    if (nowMs - (lookedMs.get(model) ?? -Infinity) >= lookAgainMs) {
      lookedMs.set(model, nowMs);
      look(model);
    }
    return known.get(model) ?? false;
  };
}
