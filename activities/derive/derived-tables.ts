/** Tables derived from the files of all sealed pages: those of each kind of study, and those common to all runs. */
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { modelCosts } from '../../analysis/model-costs.ts';
import { firstLineOf, isComputingFault } from '../../domain/missing-tables/computing-fault.ts';
import type { Manifest, MissingTables } from '../../schemas/manifest.ts';
import type { TableName } from '../../schemas/tables.ts';
import { cardTables } from '../../studies/cards.ts';
import { resultsOf, resultsOfKind } from '../../studies/results.ts';
import { varianceParts } from '../../studies/variance-parts.ts';
import { type EncodedTable, encodeTables, type TableRows } from '../storage/parts/encoded-tables.ts';
import { movedTable } from './moved-verdicts.ts';
import { type DeriveOrder, isSource } from './source-tables.ts';

/** A table, or tables whose computation fails. */
export type Derived = EncodedTable | MissingTables;

/** Each table as soon as it is computed, so that its rows need not wait for those of the others. */
export async function* derivedTables(order: DeriveOrder): AsyncGenerator<Derived> {
  const database = await openRun(order.tables, { isWanted: isSource });
  try {
    const [manifest] = database.manifests as readonly [Manifest];
    const steps = [...studySteps(database, manifest), ...commonSteps(order, database)];
    for (const step of steps) yield* await encodedOrMissing(step);
  } finally {
    database.close();
  }
}

/** Tables that are computed together. */
interface Step {
  readonly tables: readonly TableName[];
  /** Names. */
  readonly studies: readonly string[];
  compute(): Promise<TableRows>;
}

/** A fault that trying again may mend is thrown. */
async function encodedOrMissing({ tables, studies, compute }: Step): Promise<readonly Derived[]> {
  try {
    return encodeTables(await compute());
  } catch (error) {
    if (!isComputingFault(error)) throw error;
    return [{ tables: [...tables], studies: [...studies], reason: firstLineOf(error) }];
  }
}

function studySteps(database: RunDatabase, manifest: Manifest): Step[] {
  const steps = resultsOf(manifest.spec).map((results): Step => {
    const studies = manifest.spec.studies.filter(({ kind }) => resultsOfKind(kind) === results);
    return {
      tables: results.derives,
      studies: studies.map(({ name }) => name),
      compute: () => results.derive(database, manifest),
    };
  });
  // A run without loops has an empty table of scores.
  if (steps.some(({ tables }) => tables.includes('asl'))) return steps;
  return [{ tables: ['asl'], studies: [], compute: async () => ({ asl: [] }) }, ...steps];
}

const commonSteps = (order: DeriveOrder, database: RunDatabase): readonly Step[] => [
  common(['model_costs'], async () => ({ model_costs: await modelCosts(database) })),
  common(['variance_parts'], async () => ({ variance_parts: await varianceParts(database) })),
  common(['cards', 'card_agreement'], () => cardTables(database)),
  common(['moved_verdicts'], () => movedTable(order, database)),
];

const common = (tables: Step['tables'], compute: Step['compute']): Step => ({ tables, studies: [], compute });
