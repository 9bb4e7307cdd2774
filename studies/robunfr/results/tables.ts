/**
 * RobuNFR's derived tables over the sealed pages: stored when a run ends, computed for each report while it is active.
 */
import { tasksWithoutReference } from '../../../analysis/answers/without-reference.ts';
import { referenceCeiling } from '../../../domain/metrics/ceiling.ts';
import type { Measure } from '../../../domain/metrics/nfr-solutions.ts';
import { nfrSummaryRows } from './rows/summary-rows.ts';
import { nfrWorkflowRows, type SummarizedTasks } from './rows/workflow-rows.ts';
import { collectRegressions } from './rows/collect-regressions.ts';
import { missingReason } from './missing-reason.ts';
import { collectWorkflowTimes } from './rows/workflow-times.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Row, TableName } from '../../../schemas/tables.ts';
import { isRobunfr, type RobunfrStudy } from '../steps.ts';
import { currentTables, joinedTables } from '../../../analysis/current-tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { nfrSolutions } from './solutions.ts';
import { quoteText } from '../../../analysis/views.ts';

export const robunfrTableNames = [
  'nfr_summary',
  'nfr_stdev_parts',
  'nfr_phrasings',
  'nfr_workflows',
  'regression',
] as const satisfies readonly TableName[];
export type RobunfrTables = Readonly<Record<(typeof robunfrTableNames)[number], readonly Row[]>>;

export const robunfrStudies = ({ spec }: Manifest): RobunfrStudy[] => spec.studies.filter(isRobunfr);

/** Empty for a run without such a study. */
export async function robunfrTables(database: RunDatabase, manifest: Manifest): Promise<RobunfrTables> {
  const parts: RobunfrTables[] = [];
  for (const study of robunfrStudies(manifest)) parts.push(await studyTables(database, manifest, study));
  return joined(parts);
}

async function studyTables(database: RunDatabase, manifest: Manifest, study: RobunfrStudy): Promise<RobunfrTables> {
  const { runId, spec } = manifest;
  const own = `run = ${quoteText(runId)} and study = ${quoteText(study.name)}`;
  const cells = await records(
    database,
    `select distinct model, task_id, run, benchmark, language from nfr_scores where ${own} order by all`,
  );
  const suites = await records(
    database,
    `from suites where run = ${quoteText(runId)} and benchmark = ${quoteText(study.benchmark)}`,
  );
  const around = {
    tier: manifest.sandbox.tier,
    tasks: new Set(cells.map((row) => textOf(row, 'task_id'))),
    withoutReference: await tasksWithoutReference(database, [runId], study.benchmark),
    timedSuite: study.settings.timedSuite,
  };
  const settings = {
    ceiling: (suite: string) =>
      referenceCeiling(
        cells,
        suites.filter((row) => row['suite'] === suite),
      ),
    missing: (measure: Measure) => missingReason(measure, around),
  };
  const models = [...new Set(cells.map((row) => textOf(row, 'model')))];
  const key = { run: runId, study: study.name, benchmark: study.benchmark, language: 'python' };
  const versions =
    study.kind === 'robunfr-regression' ? collectRegressions(study, spec.seed, key, settings.missing) : null;
  const times = study.kind === 'robunfr-workflows' ? collectWorkflowTimes() : null;
  const summaries: SummarizedTasks[] = [];
  const [splits, phrasings]: [Row[], Row[]] = [[], []];
  for (const model of models) {
    const ofModel = await nfrSolutions(database, { run: runId, study: study.name, model });
    const { nfr_summary, nfr_stdev_parts, nfr_phrasings, behind } = nfrSummaryRows(
      { ...key, model },
      ofModel,
      settings,
    );
    summaries.push(...behind.map((one, index) => ({ ...one, row: nfr_summary[index] as Row })));
    splits.push(...nfr_stdev_parts);
    phrasings.push(...nfr_phrasings);
    versions?.add(model, ofModel);
    times?.add(ofModel);
  }
  return {
    nfr_summary: summaries.map(({ row }) => row),
    nfr_stdev_parts: splits,
    nfr_phrasings: phrasings,
    nfr_workflows: nfrWorkflowRows(summaries, times?.tests() ?? []),
    regression: versions?.rows() ?? [],
  };
}

/** Of all runs, in their current state. */
export const currentRobunfrTables = (database: RunDatabase): Promise<RobunfrTables> =>
  currentTables(
    database,
    robunfrTableNames,
    database.manifests.filter((manifest) => robunfrStudies(manifest).length > 0),
    robunfrTables,
  );

const joined = (parts: readonly RobunfrTables[]): RobunfrTables => joinedTables(robunfrTableNames, parts);
