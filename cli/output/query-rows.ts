/** The rows of a query, to the terminal or into a file, in a chosen format. */
import type { RunTables } from '../../analysis/run-folder.ts';
import { openRun, type RowDatabase } from '../../analysis/database.ts';
import type { Rows } from '../../analysis/row-stream.ts';
import { rowFormats } from '../../analysis/rows/row-formats.ts';
import { InputError } from '../../domain/errors.ts';
import { missingTablesLines } from '../../domain/missing-tables/missing-text.ts';
import { studyViews } from '../../studies/answers.ts';
import { runCoverage } from '../../studies/coverage.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { tellWritten, writeOutput, writeWholeFile } from './output-file.ts';
import { plain, type Terminal } from './terminal.ts';

export interface AnswerOptions {
  readonly format: keyof typeof rowFormats | 'parquet';
  /** Absolute. Default: the terminal. */
  readonly out?: string;
  readonly limit: number;
}

/** Opens what is asked: runs, or a saved comparison. @param copyTo the file that `copy` writes */
export type OpenRows = (copyTo?: string) => Promise<RowDatabase>;

/** The results of runs' finished pages; notes how many cells they lack. */
export const rowsOfRuns =
  (read: () => Promise<readonly RunTables[]>, terminal: Terminal): OpenRows =>
  async (copyTo) => {
    const database = await openRun(await read(), { views: studyViews, ...(copyTo !== undefined && { copyTo }) });
    try {
      for (const { run, planned, missing } of runCoverage(database))
        if (missing > 0)
          terminal.note(
            `run ${run}: ${missing} of ${planned} cells are missing from these tables: their pages are not finished`,
          );
      for (const line of missingTablesLines(database.manifests)) terminal.note(plain(line));
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };

export async function answerWith(
  open: OpenRows,
  sql: string,
  { format, out, limit }: AnswerOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (out === undefined && terminal.json)
    throw new InputError('with --json, which has a document of its own, name a file with --out FILE', {
      field: '--format',
    });
  if (format === 'parquet') return parquet(open, sql, { out, limit }, terminal);
  const database = await open();
  try {
    const { columns, batches } = await withReminder(database.stream(sql), terminal);
    const shown = { rows: 0, hasMore: false };
    const harmless = out === undefined && (format === 'text' || process.stdout.isTTY) ? plain : asItIs;
    const blocks = rowFormats[format]({ columns, batches: upTo(limit, batches, shown) }, harmless);
    if (out !== undefined) await writeOutput(out, linesOf(blocks));
    else for await (const block of blocks) terminal.out(block);
    if (format === 'text' && out === undefined)
      terminal.out(`${counted(shown.rows)}${shown.hasMore ? '; there are more' : ''}`);
    if (shown.hasMore) terminal.note(`showing only the first ${shown.rows} rows: ${howToGetMore(shown.rows)}`);
    if (out !== undefined) tellFile(out, shown.rows, terminal);
    return exitStatus.done;
  } finally {
    database.close();
  }
}

const asItIs = (text: string): string => text;

/** A file appears under its name only when it is complete. */
async function parquet(
  open: OpenRows,
  sql: string,
  { out, limit }: Pick<AnswerOptions, 'limit'> & { readonly out: string | undefined },
  terminal: Terminal,
): Promise<ExitStatus> {
  if (out === undefined)
    throw new InputError('parquet is written to a file: name it with --out FILE', { field: '--format' });
  if (limit !== Infinity) throw new InputError('does not limit parquet: write LIMIT in the SQL', { field: '--limit' });
  const rows = await writeWholeFile(out, async (aside) => {
    const database = await open(aside);
    try {
      return await withReminder(database.copy(sql), terminal);
    } finally {
      database.close();
    }
  });
  tellFile(out, rows, terminal);
  return exitStatus.done;
}

function tellFile(out: string, rows: number, terminal: Terminal): void {
  tellWritten(terminal, out, `${out}: ${counted(rows)}`);
  terminal.document({ out, rows });
}

const counted = (rows: number): string => `${rows} row${rows === 1 ? '' : 's'}`;

async function* linesOf(blocks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const block of blocks) yield `${block}\n`;
}

/** @param shown is told how many rows passed, and whether there are more */
async function* upTo(
  limit: number,
  batches: AsyncIterable<Rows>,
  shown: { rows: number; hasMore: boolean },
): AsyncGenerator<Rows> {
  for await (const batch of batches) {
    const room = limit - shown.rows;
    shown.rows += Math.min(room, batch.length);
    shown.hasMore = batch.length > room;
    if (room > 0) yield batch.length <= room ? batch : batch.slice(0, room);
    if (shown.hasMore) return;
  }
}

export const howToGetMore = (limit: number): string =>
  `aggregate, filter or LIMIT them in the SQL, or raise the limit, as with --limit ${limit * 10}`;

/** Reports every 10 s that the query still runs, so that slow SQL does not look like a hung program. */
export async function withReminder<T>(query: Promise<T>, terminal: Terminal): Promise<T> {
  const startMs = performance.now();
  const reminder = setInterval(() => {
    terminal.note(`the query takes ${Math.round((performance.now() - startMs) / 1000)} s so far; Ctrl-C ends it`);
  }, reminderMs);
  return query.finally(() => clearInterval(reminder));
}
const reminderMs = 10_000;
