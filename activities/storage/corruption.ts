/** Stored bytes are not the bytes that were stored. Trying again does not help. */
export class CorruptionError extends Error {
  override readonly name = 'CorruptionError';

  constructor(what: string, rule: string, remedy = 'restore the run folder from a copy, "evenkeel verify" lists what is damaged') {
    super(`${what}: ${rule}; ${remedy}`);
  }
}

/** A ledger that is gone or an older one: going on with it would ask and pay again for what was answered. */
export const lostLedger = (path: string, rule: string): CorruptionError =>
  new CorruptionError(path, rule, 'put ledger.sqlite and its -wal back from a copy');
