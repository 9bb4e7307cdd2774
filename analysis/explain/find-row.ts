/** Finds the row that an address names, and the answers behind it. */
import { InputError } from '../../domain/errors.ts';
import { knownHint, nearest } from '../../domain/nearest.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { stepNames } from '../../schemas/states.ts';
import { type Row, type Table, tables } from '../../schemas/tables.ts';
import { answersTable } from '../../schemas/tables/answers.ts';
import { cellKeyNames } from '../../schemas/tables/keys.ts';
import { answerAddressSql, cellIdSql } from './cell-id-sql.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { quoteText } from '../views.ts';
import { type AnswerPlace, type RowAddress, rowWords } from './address.ts';

export interface FoundRow {
  readonly table: string;
  /** Null for a whole cell. */
  readonly row: Row | null;
  /** Selects the answers behind it from `samples`. */
  readonly answersWhere: string;
}

/** Throws InputError, with candidates, if no row or several have the address. */
export function findRow(database: RunDatabase, address: RowAddress): Promise<FoundRow> {
  return address.kind === 'cell' ? findCell(database, address.id, address.place) : findTableRow(database, address);
}

/** An answer behind a row; `address` names it. */
export interface FoundAnswer {
  readonly address: string;
  readonly sample: Row;
}

/** In the order in which they were asked. @param most highest number of answers to read */
export async function answersBehind(
  database: RunDatabase,
  { answersWhere }: FoundRow,
  most: number,
): Promise<{ readonly answers: readonly FoundAnswer[]; readonly more: number }> {
  const steps = `list_position([${stepNames.map(quoteText).join(', ')}], step)`;
  const order = `${cellKeyNames.join(', ')}, loop, ${steps}, ask, sample`;
  const rows = await records(
    database,
    `SELECT ${answerAddressSql()} AS address, * FROM samples WHERE ${answersWhere} ORDER BY ${order} LIMIT ${most}`,
  );
  const [count] = await records(database, `SELECT count(*) AS n FROM samples WHERE ${answersWhere}`);
  return {
    answers: rows.map(({ address, ...sample }) => ({ address: String(address), sample })),
    more: numberOf(count ?? {}, 'n') - rows.length,
  };
}

async function findCell(database: RunDatabase, id: string, place: AnswerPlace): Promise<FoundRow> {
  const inCell = `${cellIdSql()} = ${quoteText(id)}`;
  const addresses = (
    await records(database, `SELECT ${answerAddressSql()} AS address FROM samples WHERE ${inCell}`)
  ).map((row) => textOf(row, 'address'));
  if (addresses.length === 0)
    throw new InputError(`no finished cell of this run has the address x-${id}; table answers lists all in address`);
  const places = Object.entries(place).map(([column, value]) => `CAST(${column} AS VARCHAR) = ${quoteText(value)}`);
  const answersWhere = [inCell, ...places].join(' AND ');
  const [known] = await records(database, `SELECT 1 FROM samples WHERE ${answersWhere} LIMIT 1`);
  if (known === undefined)
    throw new InputError(
      `x-${id} has no answer at ${Object.entries(place)
        .map(([column, value]) => `${column} ${value}`)
        .join(', ')}; ` + `it has ${listed(addresses)}`,
    );
  return { table: 'samples', row: null, answersWhere };
}

/** Candidates that an error names. */
const mostCandidates = 10;

const listed = (names: readonly string[]): string =>
  names.length <= mostCandidates
    ? names.join(', ')
    : `${names.slice(0, mostCandidates).join(', ')} and ${names.length - mostCandidates} more`;

async function findTableRow(
  database: RunDatabase,
  { table: name, where }: Extract<RowAddress, { kind: 'row' }>,
): Promise<FoundRow> {
  const table = tableNamed(name);
  for (const [column] of where) refuseUnknownColumn(table, column);
  const conditions = where.map(([column, value]) => conditionSql(column, value));
  const selected = `FROM ${name}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
  const rows = await records(database, `SELECT * ${selected} LIMIT 2`);
  const [row] = rows;
  if (row === undefined) throw await unknownRow(database, name, where);
  if (rows.length > 1) throw await severalRows(database, table, selected, where);
  return { table: name, row, answersWhere: answersOfRow(table, row) };
}

function tableNamed(name: string): Table {
  const all: Readonly<Record<string, Table>> = { ...tables, answers: answersTable };
  const table = Object.hasOwn(all, name) ? all[name] : undefined;
  if (table !== undefined) return table;
  throw new InputError(`no table "${name}"; ${knownHint(name, Object.keys(all))}`, { field: 'row' });
}

function refuseUnknownColumn({ name, columns }: Table, column: string): void {
  if (Object.hasOwn(columns, column)) return;
  throw new InputError(`table ${name} has no column "${column}"; ${knownHint(column, Object.keys(columns))}`, {
    field: 'row',
  });
}

/** `null` is a value as `query` prints it. */
const conditionSql = (column: string, value: string): string =>
  `CAST(${column} AS VARCHAR) IS NOT DISTINCT FROM ${value === 'null' ? 'NULL' : quoteText(value)}`;

/** Names the first value that no row has next to the values before it. */
async function unknownRow(
  database: RunDatabase,
  table: string,
  where: readonly (readonly [column: string, value: string])[],
): Promise<InputError> {
  for (const [place, [column, value]] of where.entries()) {
    const before = where.slice(0, place).map(([name, text]) => conditionSql(name, text));
    const found = await records(
      database,
      `SELECT DISTINCT CAST(${column} AS VARCHAR) AS value FROM ${table}
        WHERE ${[`${column} IS NOT NULL`, ...before].join(' AND ')} ORDER BY 1`,
    );
    const values = found.map((row) => textOf(row, 'value'));
    if (values.includes(value)) continue;
    const guess = nearest(value, values);
    const hint = guess === undefined ? `it has ${listed(values) || 'none'}` : `did you mean "${guess}"?`;
    return new InputError(`no row of table ${table} has ${column} "${value}"${beforeText(where, place)}; ${hint}`, {
      field: 'row',
    });
  }
  const isWhole = database.manifests.every(({ state }) => state === 'complete');
  const why = isWhole
    ? ': no study of the run gives it any'
    : ' yet: they come with finished pages, if a study gives any';
  return new InputError(`table ${table} has no rows${why}`, { field: 'row' });
}

const beforeText = (where: readonly (readonly [string, string])[], place: number): string =>
  place === 0
    ? ''
    : ` with ${where
        .slice(0, place)
        .map((one) => one.join('='))
        .join(' ')}`;

/** Candidates have what was stated, and the columns of the key in which the rows differ: enough to name each. */
async function severalRows(
  database: RunDatabase,
  { name, key }: Table,
  selected: string,
  where: readonly (readonly [string, string])[],
): Promise<InputError> {
  const [counts = {}] = await records(
    database,
    `SELECT count(*) AS n, ${key.map((column) => `count(DISTINCT ${column}) AS ${column}`).join(', ')} ${selected}`,
  );
  const differing = key.filter((column) => numberOf(counts, column) > 1);
  const rows = await records(
    database,
    `SELECT ${differing.join(', ')} ${selected} ORDER BY ${differing.join(', ')} LIMIT ${mostCandidates}`,
  );
  const lines = rows.map((row) => `  ${rowWords(name, { ...Object.fromEntries(where), ...row }).join(' ')}`);
  return new InputError(
    [`must name one row; ${numberOf(counts, 'n')} have these values, such as`, ...lines].join('\n'),
    {
      field: 'row',
    },
  );
}

/** A row's answers agree with it in these columns, as far as it has them. */
const sharedColumns = [...cellKeyNames, 'loop', 'step', 'ask', 'sample', 'prompt_sha256', 'program_sha256'];

function answersOfRow({ columns }: Table, row: Row): string {
  const { call_key: callKey, execution_id: execution } = row;
  if (typeof callKey === 'string') return `call_key = ${quoteText(callKey)}`;
  if (typeof execution === 'string' && !Object.hasOwn(columns, 'task_id')) return judgedAs(execution);
  const equal = sharedColumns.flatMap((column) => {
    const value = row[column];
    return value === undefined || value === null ? [] : [conditionSql(column, String(value))];
  });
  return equal.length === 0 ? 'false' : equal.join(' AND ');
}

/** The answers that have this execution among their verdicts. */
function judgedAs(execution: string): string {
  const place = [...cellKeyNames, 'loop', 'step', 'sample'].join(', ');
  return `program_sha256 IS NOT NULL AND (${place}) IN (
    SELECT (${place}) FROM verdicts WHERE execution_id = ${quoteText(execution)})`;
}
