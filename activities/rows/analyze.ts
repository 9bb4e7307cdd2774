/** Tables derived from all sealed pages: those of each kind of study, and those common to all runs. */
import { openRun } from '../../analysis/database.ts';
import { modelCosts } from '../../analysis/model-costs.ts';
import { cardTables } from '../../studies/cards.ts';
import { studyOf } from '../../studies/index.ts';
import { resultsOf } from '../../studies/results.ts';
import type { DerivedTables } from '../../studies/study-results.ts';
import { varianceParts } from '../../studies/variance-parts.ts';
import { movedTable } from './moved-verdicts.ts';
import { writeRunTables } from '../record.ts';
import type { Run } from '../runs/runs.ts';
import { variantOrderRows, variantRows } from './variant-rows.ts';

export async function analyze(run: Run, epoch: number, revision: number): Promise<void> {
  const database = await openRun(await run.home.tables(isSource), { isWanted: isSource });
  try {
    // A run without loops has an empty table of scores.
    const derived: DerivedTables = { asl: [] };
    for (const { derive } of resultsOf(run.spec)) Object.assign(derived, await derive(database, run.manifest));
    const hasOrder = run.spec.studies.some((study) => studyOf(study).variants?.orderRows !== undefined);
    await writeRunTables(run, epoch, revision, {
      ...derived,
      ...(hasOrder ? { variant_order: await variantOrderRows(run) } : {}),
      model_costs: await modelCosts(database),
      variance_parts: await varianceParts(database),
      ...(await cardTables(database)),
      variants: await variantRows(run),
      ...(await movedTable(run, database)),
    });
  } finally {
    database.close();
  }
}

/** Excludes derived tables from the sources: they may be outdated or damaged. */
const isSource = ({ page, table }: { readonly page: string; readonly table: string }): boolean =>
  page !== 'run' || ['models', 'settings', 'tasks', 'suites'].includes(table);
