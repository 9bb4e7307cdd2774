/**
 * Verdicts, reference runs and named facts. The first one stored under a key counts and never changes, so whoever has
 * read one may keep it. What is read by many keys is one read.
 */
import type { ReferenceRecord, VerdictRecord } from './records.ts';

export interface Results {
  verdict(executionKey: string): Promise<VerdictRecord | undefined>;
  /** By key; those that do not exist are left out. */
  verdicts(executionKeys: Iterable<string>): Promise<ReadonlyMap<string, VerdictRecord>>;
  /** Insert or ignore; durable before it resolves; returns the winning record. */
  saveVerdict(verdict: VerdictRecord): Promise<VerdictRecord>;

  reference(key: string): Promise<ReferenceRecord | undefined>;
  /** By key; those that do not exist are left out. */
  references(keys: Iterable<string>): Promise<ReadonlyMap<string, ReferenceRecord>>;
  /** Insert or ignore; durable before it resolves. */
  saveReference(reference: ReferenceRecord): Promise<void>;

  /** Small named facts of the run (JSON text), such as the simulator's mutations that failed. */
  fact(name: string): Promise<string | undefined>;
  /** By name; those that do not exist are left out. */
  factsNamed(names: Iterable<string>): Promise<ReadonlyMap<string, string>>;
  /** All facts whose name starts with `prefix` (ASCII), by name. */
  facts(prefix: string): Promise<readonly string[]>;
  /** Insert or ignore; durable before it resolves; returns the winning fact. */
  saveFact(name: string, json: string): Promise<string>;
}
