/** Stored bytes are not the bytes that were stored. Trying again does not help. */
export class CorruptionError extends Error {
  override readonly name = 'CorruptionError';

  constructor(what: string, rule: string) {
    super(`${what}: ${rule}; restore the run folder from a copy, "evenkeel verify" lists what is damaged`);
  }
}
