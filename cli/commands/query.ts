/**
 * `query`: read-only SQL (DuckDB) over the finished results of one run or several, also while they run, or over a saved
 * comparison or multiverse.
 */
import { resolve } from 'node:path';
import { rowFormats } from '../../analysis/rows/row-formats.ts';
import type { RunTables } from '../../analysis/run-folder.ts';
import { openSaved, savedKindIn } from '../../analysis/saved-tables.ts';
import { shellSql } from '../../analysis/shell-sql.ts';
import { tableIndex, tableText } from '../../analysis/tables-doc.ts';
import { InputError } from '../../domain/errors.ts';
import type { SavedKind } from '../../schemas/saved-tables.ts';
import { studyViews } from '../../studies/answers.ts';
import { commandName } from '../command-name.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import {
  answerWith,
  type AnswerOptions,
  howToGetMore,
  type OpenRows,
  rowsOfRuns,
  withReminder,
} from '../output/query-rows.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { runsAndSql } from '../runs-and-sql.ts';
import type { Terminal } from '../output/terminal.ts';

interface Options {
  readonly runsDir: string;
  readonly shellSql?: boolean;
  readonly tables?: string;
  readonly limit?: string;
  readonly format?: string;
  readonly out?: string;
}

export async function query(words: readonly string[], options: Options, terminal: Terminal): Promise<ExitStatus> {
  const catalog = runCatalog(options.runsDir);
  const runs = await catalog.ids();
  const { ids, sql } = runsAndSql(runs, words);
  for (const id of ids) {
    const folder = resolve(id);
    const kind = savedKindIn(folder);
    if (kind === undefined) continue;
    if (!runs.includes(id)) return querySaved(kind, folder, ids, sql, options, terminal);
    terminal.note(`note: the folder ${id} holds a saved ${kind.name}, too: write ./${id} for that`);
  }
  const found = await Promise.all(ids.map(async (id) => (await catalog.find(id)).home));
  const read = (): Promise<RunTables[]> => Promise.all(found.map((home) => home.tables()));
  if (options.shellSql) {
    const statements = await shellSql(await read(), studyViews);
    terminal.out(statements);
    terminal.document({ sql: statements });
    return exitStatus.done;
  }
  if (options.tables !== undefined) return showTable(options.tables, tableText(options.tables), terminal);
  if (sql === undefined) {
    showIndex(ids[0] ?? '', terminal);
    return exitStatus.done;
  }
  return answer(rowsOfRuns(read, terminal), sql, options, terminal);
}

/** Without SQL, shows the saved tables and the number of their rows. */
async function querySaved(
  kind: SavedKind,
  folder: string,
  ids: readonly string[],
  sql: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (ids.length > 1) throw new InputError(`is a saved ${kind.name}, which is queried alone`, { file: folder });
  const { tables } = options;
  if (tables !== undefined) return showTable(tables, tableText(tables, Object.values(kind.tables)), terminal);
  return answer((copyTo) => openSaved(kind, folder, copyTo), sql ?? savedIndex(kind), options, terminal);
}

const savedIndex = ({ tables }: SavedKind): string =>
  Object.keys(tables)
    .map((name) => `select '${name}' as "table", count(*) as rows from ${name}`)
    .join(' union all ');

function showTable(table: string, text: string, terminal: Terminal): ExitStatus {
  terminal.out(text);
  terminal.document({ table, text });
  return exitStatus.done;
}

function answer(open: OpenRows, sql: string, options: Options, terminal: Terminal): Promise<ExitStatus> {
  const chosen = answerOptions(options);
  const limit = limitOf(options.limit) ?? mostRows;
  return terminal.json && chosen === null
    ? document(open, sql, limit, terminal)
    : answerWith(open, sql, chosen ?? { format: 'text', limit }, terminal);
}

/** Rows of text, and of the document of `--json`, if no limit is given. */
const mostRows = 100_000;

/** Null without `--format` and `--out`. */
function answerOptions({ format, out, limit }: Options): AnswerOptions | null {
  if (format === undefined && out === undefined) return null;
  const formats = [...Object.keys(rowFormats), 'parquet'];
  const chosen = format ?? 'text';
  if (!formats.includes(chosen))
    throw new InputError(`must be one of ${formats.join(', ')}; got "${chosen}"`, { field: '--format' });
  return {
    format: chosen as AnswerOptions['format'],
    ...(out === undefined ? {} : { out: resolve(out) }),
    limit: limitOf(limit) ?? (chosen === 'text' && out === undefined ? mostRows : Infinity),
  };
}

function limitOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new InputError(`must be a whole number of at least 1; got "${text}"`, { field: '--limit' });
}

/** The document of `--json`: columns with their types, and rows as lists. */
async function document(open: OpenRows, sql: string, limit: number, terminal: Terminal): Promise<ExitStatus> {
  const database = await open();
  try {
    const { columns, rows, hasMore } = await withReminder(database.query(sql, limit), terminal);
    // A program that reads the document would not notice that rows are missing.
    if (hasMore) throw new InputError(`the query returns more than ${limit} rows; ${howToGetMore(limit)}`);
    terminal.document({ columns, rows });
    return exitStatus.done;
  } finally {
    database.close();
  }
}

function showIndex(id: string, terminal: Terminal): void {
  const tables = tableIndex();
  const width = Math.max(...tables.map(({ name }) => name.length));
  for (const { name, meaning } of tables) terminal.out(`${name.padEnd(width)}  ${meaning}`);
  terminal.out(`columns of one table: ${commandName()} query ${id} --tables answers`);
  terminal.document({ tables });
}
