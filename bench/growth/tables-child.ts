/** Computes the derived tables of a run, as its end does, and writes none. Usage: tables-child.ts RUN_FOLDER STAGE */
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { modelCosts } from '../../analysis/model-costs.ts';
import { cardTables } from '../../studies/cards.ts';
import { resultsOf } from '../../studies/results.ts';
import { varianceParts } from '../../studies/variance-parts.ts';

const stages: Readonly<Record<string, (database: RunDatabase) => Promise<unknown>>> = {
  studies: async (database) => {
    for (const manifest of database.manifests)
      for (const { derive } of resultsOf(manifest.spec)) await derive(database, manifest);
  },
  costs: modelCosts,
  variance: (database) => varianceParts(database),
  cards: (database) => cardTables(database),
};

const [folder = '', stage = ''] = process.argv.slice(2);
const database = await openRun(folder, { isWanted: ({ page, table }) => page !== 'run' || table === 'models' });
await stages[stage]?.(database);
database.close();
