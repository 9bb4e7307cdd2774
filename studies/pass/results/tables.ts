/**
 * The derived tables of plain pass@k over the sealed pages: stored when a run ends, computed for each report while it
 * is active.
 */
import { currentTables, joinedTables } from '../../../analysis/current-tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { quoteText } from '../../../analysis/views.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Row } from '../../../schemas/tables.ts';
import { ksOf, type PassStudy } from '../settings.ts';
import { allSuites, countRows, passGroups } from './counts.ts';
import { passAtKRows, repeatRow, taskRows } from './rows.ts';

const tableNames = ['pass_tasks', 'pass_at_k', 'pass_repeats'] as const;
type PassTables = Readonly<Record<(typeof tableNames)[number], readonly Row[]>>;

export const passStudies = ({ spec }: Manifest): PassStudy[] => spec.studies.filter((study) => study.kind === 'pass');

/** Empty for a run without such a study. */
export async function passTables(database: RunDatabase, manifest: Manifest): Promise<PassTables> {
  const parts: PassTables[] = [];
  for (const { name, settings } of passStudies(manifest)) {
    const groups = passGroups(await countRows(database, manifest.runId, name));
    parts.push({
      pass_tasks: groups.flatMap(taskRows),
      pass_at_k: groups.flatMap((group) => passAtKRows(group, ksOf(settings))),
      pass_repeats: groups.map(repeatRow),
    });
  }
  return joinedTables(tableNames, parts);
}

/** Of all runs, in their current state; of stored `pass_tasks`, those that are flaky over all suites together. */
export const reportedPassTables = (database: RunDatabase): Promise<PassTables> =>
  currentTables(
    database,
    tableNames,
    database.manifests.filter((manifest) => passStudies(manifest).length > 0),
    passTables,
    { pass_tasks: { rows: `flaky AND suite = ${quoteText(allSuites)}` } },
  );
