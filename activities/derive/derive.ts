/** Derives a run's tables: a small run's here, a large one's in a process of its own. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentParts } from '../../analysis/run-folder.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { openApart } from '../apart/program-apart.ts';
import type { EncodedTable } from '../storage/parts/encoded-tables.ts';
import type { DeriveOrder } from './source-tables.ts';

/** The tables of fewer are derived in less than 100 MB, and not much later than a process starts. */
const manyAnswers = 50_000;

const program = fileURLToPath(new URL(`./deriving-process${extname(import.meta.url)}`, import.meta.url));

/** Gets one table after the other, so that not all are in memory. */
type Take = (table: EncodedTable) => void;

/** @param many answers from which on another process does it */
export async function derive(order: DeriveOrder, manifest: Manifest, take: Take, many = manyAnswers): Promise<void> {
  const answers = currentParts(manifest, 'samples').reduce((sum, { rows }) => sum + rows, 0);
  await (answers >= many ? deriveApart(order, take) : deriveHere(order, take));
}

async function deriveHere(order: DeriveOrder, take: Take): Promise<void> {
  // Loaded only where needed: DuckDB takes 40 MB.
  const { derivedTables } = await import('./derived-tables.ts');
  for await (const table of derivedTables(order)) take(table);
}

async function deriveApart(order: DeriveOrder, take: Take): Promise<void> {
  const apart = openApart<DeriveOrder, EncodedTable>(program, "derives the run's tables");
  try {
    await apart.ask(order, take);
  } finally {
    apart.end();
  }
}
