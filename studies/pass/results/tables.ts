/**
 * The derived tables of plain pass@k over the sealed pages: stored when a run ends, computed for each report while it
 * is active.
 */
import { currentTables, joinedTables } from '../../../analysis/current-tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { taskSlices } from '../../../analysis/slices/task-slices.ts';
import { quoteText } from '../../../analysis/views.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Row } from '../../../schemas/tables.ts';
import { ksOf, type PassStudy } from '../settings.ts';
import { allSuites, collectPassGroups, countRows, hasSeveralSuites } from './counts.ts';
import { passAtKRows, repeatRow, taskRows } from './rows.ts';

export const passTableNames = ['pass_tasks', 'pass_at_k', 'pass_repeats'] as const;
type PassTables = Readonly<Record<(typeof passTableNames)[number], readonly Row[]>>;

export const passStudies = ({ spec }: Manifest): PassStudy[] => spec.studies.filter((study) => study.kind === 'pass');

/** Empty for a run without such a study. One model at a time, and of its cells those of some tasks. */
export async function passTables(database: RunDatabase, manifest: Manifest): Promise<PassTables> {
  const parts: PassTables[] = [];
  for (const { name, settings } of passStudies(manifest)) {
    const own = `run = ${quoteText(manifest.runId)} AND study = ${quoteText(name)}`;
    const bySuites = await hasSeveralSuites(database, own);
    for (const { model } of await records(database, `SELECT DISTINCT model FROM pass_counts WHERE ${own} ORDER BY ALL`))
      parts.push(await tablesOf(database, `${own} AND model = ${quoteText(String(model))}`, bySuites, ksOf(settings)));
  }
  return joinedTables(passTableNames, parts);
}

/** @param own SQL condition for the rows of a model */
async function tablesOf(
  database: RunDatabase,
  own: string,
  bySuites: boolean,
  ks: readonly number[],
): Promise<PassTables> {
  const collector = collectPassGroups();
  for (const tasks of await taskSlices(database, own))
    collector.add(await countRows(database, `${own} AND ${tasks}`, bySuites));
  const groups = collector.groups();
  return {
    pass_tasks: groups.flatMap(taskRows),
    pass_at_k: groups.flatMap((group) => passAtKRows(group, ks)),
    pass_repeats: groups.map(repeatRow),
  };
}

/** Of all runs, in their current state; of stored `pass_tasks`, those that are flaky over all suites together. */
export const reportedPassTables = (database: RunDatabase): Promise<PassTables> =>
  currentTables(
    database,
    passTableNames,
    database.manifests.filter((manifest) => passStudies(manifest).length > 0),
    passTables,
    { pass_tasks: { rows: `flaky AND suite = ${quoteText(allSuites)}` } },
  );
