/** Cells to read in full, with prompts, replies, code and verdicts: flips first, spread over models and results. */
import type { RunDatabase } from '../database.ts';
import { chooseCells, findCell } from './examples/choose-cells.ts';
import type { Example, ExampleEntry } from './examples/example.ts';
import { entryOf, readExamples } from './examples/read-examples.ts';
import { visibleJson } from './html.ts';

export interface Examples extends DrawnEntries {
  readonly examples: readonly Example[];
}

/** The same without their texts. */
export interface DrawnEntries {
  /** In the order drawn: flips first, and the first n are spread over models and results for every n. */
  readonly examples: readonly ExampleEntry[];
  /** Number of cells that they were drawn from. */
  readonly of: number;
  /** Of these, cells that flip. */
  readonly flips: number;
}

const mostExamples = 2_000;
const mostEntries = 10_000;

export async function collectExamples(database: RunDatabase, most = mostExamples): Promise<Examples> {
  const { cells, of, flips } = await chooseCells(database, most);
  return { examples: await readExamples(database, cells), of, flips };
}

/** For a page that fetches what it opens: an entry is a hundredth of an example. */
export async function collectEntries(database: RunDatabase, most = mostEntries): Promise<DrawnEntries> {
  const { cells, of, flips } = await chooseCells(database, most);
  return { examples: cells.map(entryOf), of, flips };
}

/**
 * One example as JSON, for a page that fetches its examples: an `Example`, and in `others` the entries of all other
 * cells of its task. Null if the database has no such cell.
 */
export async function exampleDocument(database: RunDatabase, id: string): Promise<string | null> {
  const found = await findCell(database, id);
  if (found === null) return null;
  const [example] = await readExamples(database, [found.cell]);
  return visibleJson({ ...example, others: found.others.map(entryOf) });
}
