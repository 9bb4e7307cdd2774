/** Checks the ledger: the file's structure, and every stored body against its SHA-256. Reads only. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { counted } from '../../../domain/counted.ts';
import { CorruptionError } from '../../../domain/errors.ts';
import { ledgerRemedy, openingFault } from '../files/corruption.ts';
import { lineOf } from '../ledger/sqlite/ledger-structure.ts';
import { hexKey } from '../ledger/sqlite/call-book.ts';
import { moneyNotes, moneyProblems } from './verify-money.ts';
import type { PartRecord } from '../ledger/records.ts';
import { isIntact } from '../ledger/bodies/stored-body.ts';
import type { StoredBody } from '../ledger/bodies/stored-body.ts';
import { isTallyDamaged, lossText, lostReplies } from '../ledger/sqlite/losses/tally.ts';

export interface LedgerCheck {
  readonly problems: readonly string[];
  /** Notes that are not damage. */
  readonly notes: readonly string[];
  readonly replies: number;
  /** Null if they cannot be counted. */
  readonly pages: number | null;
  /** Null if they cannot be read. */
  readonly parts: readonly Pick<PartRecord, 'path' | 'sha256'>[] | null;
  readonly sealedPages: readonly {
    readonly page: string;
    readonly study: string;
    readonly cells: number;
    readonly revision: number;
  }[];
}

/** Keys are looked up for damaged bodies only. */
const bodies = [
  ['reply', 'select call as id, body, sha256 from reply', 'select call_key as key from call where id = ?'],
  ['verdict', 'select id, body, sha256 from verdict', 'select execution_key as key from verdict where id = ?'],
  ['reference', 'select id, body, sha256 from reference', 'select reference_key as key from reference where id = ?'],
] as const;

/**
 * A file that SQLite cannot read is a problem, not an error.
 * @param atRest whether nobody writes to the file, so that it can be read without leaving files next to it
 * @param tell bytes that were read since it was last called
 */
export function verifyLedger(path: string, atRest: boolean, tell: (bytes: number) => void = () => {}): LedgerCheck {
  let database: DatabaseSync | undefined;
  try {
    const address = `${pathToFileURL(path)}${atRest ? '?immutable=1' : ''}`;
    database = new DatabaseSync(address, { readOnly: true, timeout: 10_000 });
    const checked = checkDatabase(path, database, tell);
    return { ...checked, problems: [...lossProblem(path), ...checked.problems] };
  } catch (error) {
    return unread(unreadText(path, error));
  } finally {
    database?.close();
  }
}

/** A file that is only locked, or that this user may not read, needs no backup. */
function unreadText(path: string, error: unknown): string {
  if (!existsSync(path)) return `${path} cannot be read: this file is missing; ${ledgerRemedy}`;
  const text = `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  return openingFault(error, path) instanceof CorruptionError ? `${text}; ${ledgerRemedy}` : text;
}

const unread = (problem: string): LedgerCheck => ({
  problems: [problem],
  notes: [],
  replies: 0,
  pages: null,
  parts: null,
  sealedPages: [],
});

function lossProblem(path: string): string[] {
  if (isTallyDamaged(path))
    return [
      'ledger.tally is damaged, so missing replies cannot be detected; --repair rebuilds it from the current replies',
    ];
  const loss = lostReplies(path);
  return loss === null ? [] : [`ledger: ${lossText(loss)}`];
}

/** Rows of a damaged page may lack what every row has, so what fails then is only a sign of the damage. */
function checkDatabase(path: string, database: DatabaseSync, tell: (bytes: number) => void): LedgerCheck {
  const structure = structureProblems(database);
  try {
    return checkRows(database, structure, tell);
  } catch (error) {
    const [first, ...others] = structure;
    if (first === undefined) throw error;
    const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more fault')}`;
    return unread(`${path} cannot be read: ${first}${more}; ${ledgerRemedy}`);
  }
}

function checkRows(database: DatabaseSync, structure: readonly string[], tell: (bytes: number) => void): LedgerCheck {
  const checked = bodies.map((one) => damagedBodies(database, one, tell));
  return {
    problems: [
      ...structure.map((line) => `ledger: ${line}`),
      ...missingReplies(database),
      ...moneyProblems(database),
      ...checked.flatMap(({ damaged }) => damaged),
    ],
    notes: moneyNotes(database),
    replies: checked[0]?.count ?? 0,
    pages: Number(database.prepare('select count(*) as n from page').get()?.['n']),
    parts: structure.length > 0 ? null : partsOf(database),
    sealedPages: database
      .prepare(
        'select page, study, page.cells, revision from page join lane on lane.id = page.lane ' +
          "where page.state = 'sealed'",
      )
      .all() as unknown as LedgerCheck['sealedPages'],
  };
}

const structureProblems = (database: DatabaseSync): string[] =>
  database
    .prepare('pragma integrity_check')
    .all()
    .map(({ integrity_check: line }) => lineOf(String(line)))
    .filter((line) => line !== 'ok');

const partsOf = (database: DatabaseSync): LedgerCheck['parts'] =>
  database.prepare('select path, sha256 from part').all() as unknown as LedgerCheck['parts'];

const missingReplies = (database: DatabaseSync): string[] =>
  database
    .prepare(
      'select page.page, count(*) as n from sample join page on page.id = sample.page where call not in (select ' +
        'call from reply) group by 1',
    )
    .all()
    .map(({ page, n }) => `ledger: page ${page} has ${counted(Number(n), 'sample')} without a stored reply`);

/** Bodies between two calls of `tell`. */
const told = 2_000;

function damagedBodies(
  database: DatabaseSync,
  [kind, query, keyOf]: (typeof bodies)[number],
  tell: (bytes: number) => void,
): { count: number; damaged: string[] } {
  const damaged: string[] = [];
  let count = 0;
  let bytes = 0;
  for (const row of database.prepare(query).iterate()) {
    const stored = row as unknown as StoredBody & { readonly id: number };
    count += 1;
    bytes += stored.body.length;
    if (!isIntact(stored))
      damaged.push(`ledger: ${kind} ${keyText(database, keyOf, stored.id)} does not match its SHA-256`);
    if (count % told !== 0) continue;
    tell(bytes);
    bytes = 0;
  }
  tell(bytes);
  return { count, damaged };
}

function keyText(database: DatabaseSync, query: string, id: number): string {
  const key = database.prepare(query).get(id)?.['key'];
  return key instanceof Uint8Array ? hexKey(key) : `number ${id}`;
}
