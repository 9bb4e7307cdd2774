/** Stores and reads verdicts, reference runs and named facts; the first one stored counts. */
import { keyBytes } from './call-book.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { ReferenceRecord, VerdictRecord } from '../records.ts';
import { packBody, unpackBody } from '../bodies/stored-body.ts';
import type { StoredBody } from '../bodies/stored-body.ts';
import { packVerdict, type Shared, unpackVerdict } from '../bodies/stored-verdict.ts';
import type { Totals } from './totals.ts';
import { onceWithin } from './within-transaction.ts';

export function findVerdict(db: LedgerDatabase, executionKey: string): VerdictRecord | undefined {
  const row = db
    .sql(
      `select body, sha256, shared.json as shared from verdict
      left join verdict_shared as shared on shared.id = verdict.shared where execution_key = ?`,
    )
    .get(keyBytes(executionKey)) as (StoredBody & { readonly shared: string | null }) | undefined;
  if (row === undefined) return undefined;
  const own = unpackVerdict(row, `verdict of execution ${executionKey}`);
  // Up to format 3 a verdict was stored whole.
  return row.shared === null ? (own as VerdictRecord) : { ...own, executionKey, ...(JSON.parse(row.shared) as Shared) };
}

/** Returns the verdict that counts. */
export function saveVerdict(db: LedgerDatabase, totals: Totals, verdict: VerdictRecord): VerdictRecord {
  const { executionKey, tier, lane, engine, imageDigest, limits, ...own } = verdict;
  const { body, sha256 } = packVerdict(own);
  const shared = onceWithin(totals, `${tier} ${lane} ${engine} ${imageDigest} ${limits}`, () =>
    sharedId(db, { tier, lane, engine, imageDigest, limits }),
  );
  const { changes } = db
    .sql('insert or ignore into verdict (execution_key, body, sha256, shared) values (?, ?, ?, ?)')
    .run(keyBytes(executionKey), body, sha256, shared);
  if (changes === 0) return findVerdict(db, executionKey) ?? verdict;
  totals.verdicts += 1;
  return verdict;
}

function sharedId(db: LedgerDatabase, shared: Shared): number {
  const json = JSON.stringify(shared);
  db.sql('insert or ignore into verdict_shared (json) values (?)').run(json);
  return Number(db.sql('select id from verdict_shared where json = ?').get(json)?.['id']);
}

export function findReference(db: LedgerDatabase, key: string): ReferenceRecord | undefined {
  const row = db.sql('select body, sha256 from reference where reference_key = ?').get(keyBytes(key));
  return row && unpackBody<ReferenceRecord>(row as unknown as StoredBody, `reference run ${key}`);
}

export function saveReference(db: LedgerDatabase, reference: ReferenceRecord): void {
  const { body, sha256 } = packBody(reference);
  db.sql('insert or ignore into reference (reference_key, body, sha256) values (?, ?, ?)').run(
    keyBytes(reference.key),
    body,
    sha256,
  );
}

export const findFact = (db: LedgerDatabase, name: string): string | undefined =>
  db.sql('select json from fact where name = ?').get(name)?.['json'] as string | undefined;

/** Returns the fact that counts. */
export function saveFact(db: LedgerDatabase, name: string, json: string): string {
  db.sql('insert or ignore into fact (name, json) values (?, ?)').run(name, json);
  return findFact(db, name) ?? json;
}

/** The least text above all that start with this ASCII prefix, so that a search ends with them. */
const after = (prefix: string): string =>
  `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;

export const factsUnder = (db: LedgerDatabase, prefix: string): string[] =>
  db
    .sql('select json from fact where name >= ? and name < ? order by name')
    .all(prefix, after(prefix))
    .map(({ json }) => String(json));

export const countFactsUnder = (db: LedgerDatabase, prefix: string): number =>
  Number(
    db.sql('select count(*) as count from fact where name >= ? and name < ?').get(prefix, after(prefix))?.['count'] ??
      0,
  );
