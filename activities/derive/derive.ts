/** Derives a run's tables: a small run's here, a large one's in a process of its own. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentParts } from '../../analysis/run-folder.ts';
import type { Manifest, MissingTables } from '../../schemas/manifest.ts';
import { openApart } from '../apart/program-apart.ts';
import type { EncodedTable } from '../storage/parts/encoded-tables.ts';
import type { Derived } from './derived-tables.ts';
import type { DeriveOrder } from './source-tables.ts';

/** The tables of fewer are derived in less than 100 MB, and not much later than a process starts. */
const manyAnswers = 50_000;

const program = fileURLToPath(new URL(`./deriving-process${extname(import.meta.url)}`, import.meta.url));

/** Gets one table after the other, so that not all are in memory. */
type Take = (table: EncodedTable) => void;

/** Returns the tables whose computation fails. @param many answers from which on another process does it */
export async function derive(
  order: DeriveOrder,
  manifest: Manifest,
  take: Take,
  many = manyAnswers,
): Promise<readonly MissingTables[]> {
  const answers = currentParts(manifest, 'samples').reduce((sum, { rows }) => sum + rows, 0);
  const missing: MissingTables[] = [];
  const takeOrList = (derived: Derived): void => {
    if ('reason' in derived) missing.push(derived);
    else take(derived);
  };
  await (answers >= many ? deriveApart(order, takeOrList) : deriveHere(order, takeOrList));
  return missing;
}

async function deriveHere(order: DeriveOrder, take: (derived: Derived) => void): Promise<void> {
  // Loaded only where needed: DuckDB takes 40 MB.
  const { derivedTables } = await import('./derived-tables.ts');
  for await (const derived of derivedTables(order)) take(derived);
}

async function deriveApart(order: DeriveOrder, take: (derived: Derived) => void): Promise<void> {
  const apart = openApart<DeriveOrder, Derived>(program, "derives the run's tables");
  try {
    await apart.ask(order, take);
  } finally {
    apart.end();
  }
}
