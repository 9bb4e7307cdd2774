/** Tables derived from the files of all sealed pages: those of each kind of study, and those common to all runs. */
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { modelCosts } from '../../analysis/model-costs.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { cardTables } from '../../studies/cards.ts';
import { resultsOf } from '../../studies/results.ts';
import type { DerivedTables } from '../../studies/study-results.ts';
import { varianceParts } from '../../studies/variance-parts.ts';
import { type EncodedTable, encodeTables, type TableRows } from '../storage/parts/encoded-tables.ts';
import { movedTable } from './moved-verdicts.ts';
import { type DeriveOrder, isSource } from './source-tables.ts';

/** Each table as soon as it is computed, so that its rows need not wait for those of the others. */
export async function* derivedTables(order: DeriveOrder): AsyncGenerator<EncodedTable> {
  const database = await openRun(order.tables, { isWanted: isSource });
  try {
    const [manifest] = database.manifests as readonly [Manifest];
    for (const step of steps(order, manifest, database)) yield* encodeTables(await step());
  } finally {
    database.close();
  }
}

type Step = () => Promise<TableRows>;

const steps = (order: DeriveOrder, manifest: Manifest, database: RunDatabase): readonly Step[] => [
  () => tablesOfStudies(database, manifest),
  async () => ({ model_costs: await modelCosts(database) }),
  async () => ({ variance_parts: await varianceParts(database) }),
  () => cardTables(database),
  () => movedTable(order, database),
];

async function tablesOfStudies(database: RunDatabase, manifest: Manifest): Promise<DerivedTables> {
  // A run without loops has an empty table of scores.
  const derived: DerivedTables = { asl: [] };
  for (const { derive } of resultsOf(manifest.spec)) Object.assign(derived, await derive(database, manifest));
  return derived;
}
