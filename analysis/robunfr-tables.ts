/** RobuNFR's derived tables over what is sealed: written at a run's end, and made anew for a report while it goes on. */
import { referenceCeiling } from '../domain/metrics/ceiling.ts';
import type { Measure, Solution } from '../domain/metrics/nfr-solutions.ts';
import { nfrSummaryRows } from '../domain/metrics/nfr-summary-rows.ts';
import { nfrWorkflowRows, type SummarizedTasks } from '../domain/metrics/nfr-workflow-rows.ts';
import { regressionRows } from '../domain/metrics/regression-rows.ts';
import { solutionMetrics } from '../domain/metrics/solution-metrics.ts';
import { workflowTests } from '../domain/metrics/workflow-times.ts';
import { textOf } from '../domain/metrics/row-order.ts';
import { seedOf } from '../domain/random.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type Row, type TableName, tables } from '../schemas/tables.ts';
import { isRobunfr, type RobunfrStudy } from '../studies/robunfr/steps.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { nfrSolutions } from './robunfr-solutions.ts';
import { quoteText } from './views.ts';

const derived = ['nfr_summary', 'nfr_phrasings', 'nfr_workflows', 'regression'] as const satisfies readonly TableName[];
export type RobunfrTables = Readonly<Record<(typeof derived)[number], readonly Row[]>>;

export const robunfrStudies = ({ spec }: Manifest): RobunfrStudy[] => spec.studies.filter(isRobunfr);

/** Empty tables for a run without such a study. */
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
  const suites = await records(database, `from suites where run = ${quoteText(runId)} and benchmark = ${quoteText(study.benchmark)}`);
  const settings = {
    ceiling: (suite: string) =>
      referenceCeiling(
        cells,
        suites.filter((row) => row['suite'] === suite),
      ),
    missing: (measure: Measure) => missingReason(measure, manifest.sandbox.tier),
  };
  const models = [...new Set(cells.map((row) => textOf(row, 'model')))];
  const key = { run: runId, study: study.name, benchmark: study.benchmark, language: 'python' };
  const solutions = new Map<string, Solution[]>();
  const summaries: SummarizedTasks[] = [];
  const phrasings: Row[] = [];
  for (const model of models) {
    const ofModel = await nfrSolutions(database, { run: runId, study: study.name, model });
    const { nfr_summary, nfr_phrasings, tasks } = nfrSummaryRows({ ...key, model }, ofModel, settings);
    summaries.push(...nfr_summary.map((row, index) => ({ row, tasks: tasks[index] ?? [] })));
    phrasings.push(...nfr_phrasings);
    if (study.kind !== 'robunfr-prompts') solutions.set(model, ofModel);
  }
  return {
    nfr_summary: summaries.map(({ row }) => row),
    nfr_phrasings: phrasings,
    nfr_workflows: nfrWorkflowRows(summaries, study.kind === 'robunfr-workflows' ? workflowTests([...solutions.values()].flat()) : []),
    regression: study.kind === 'robunfr-regression' ? regressionsOf(study, spec.seed, key, solutions, settings.missing) : [],
  };
}

function regressionsOf(
  { name, settings }: Extract<RobunfrStudy, { kind: 'robunfr-regression' }>,
  seed: number,
  key: { readonly run: string; readonly study: string; readonly benchmark: string; readonly language: string },
  solutions: ReadonlyMap<string, readonly Solution[]>,
  missing: (measure: Measure) => string,
): Row[] {
  return settings.pairs.flatMap(([old, now]) => {
    const pair = { old: solutions.get(old) ?? [], now: solutions.get(now) ?? [] };
    const options = { ...settings, seed: seedOf('regression', seed, name, old, now), missing };
    return regressionRows({ ...key, old_model: old, model: now }, pair, options);
  });
}

function missingReason({ metric }: Measure, tier: string): string {
  if (metric === 'pass_at_1') return 'no solution counts: all were limits of ours';
  if (tier === 'embedded') return 'not measured: the embedded sandbox has pass only; quality and time need the container sandbox';
  if (solutionMetrics[metric].unit === 'ms') return 'no solution has a time: see tables executions and timings';
  if (tier !== 'container') return `not measured: the ${tier} sandbox has no Pylint; quality needs the container sandbox`;
  return 'no solution has measures: see table quality for the reasons';
}

/** The tables as they stand now: stored ones of a run that has ended whole, otherwise over the pages sealed so far. */
export async function currentRobunfrTables(database: RunDatabase): Promise<RobunfrTables> {
  const parts: RobunfrTables[] = [];
  for (const manifest of database.manifests.filter((one) => robunfrStudies(one).length > 0))
    parts.push(manifest.state === 'complete' ? await storedTables(database, manifest) : await robunfrTables(database, manifest));
  return joined(parts);
}

async function storedTables(database: RunDatabase, { runId }: Manifest): Promise<RobunfrTables> {
  const stored = async (name: (typeof derived)[number]): Promise<Row[]> =>
    records(database, `select * from ${name} where run = ${quoteText(runId)} order by ${tables[name].key.join(', ')}`);
  return {
    nfr_summary: await stored('nfr_summary'),
    nfr_phrasings: await stored('nfr_phrasings'),
    nfr_workflows: await stored('nfr_workflows'),
    regression: await stored('regression'),
  };
}

const joined = (parts: readonly RobunfrTables[]): RobunfrTables => ({
  nfr_summary: parts.flatMap(({ nfr_summary }) => nfr_summary),
  nfr_phrasings: parts.flatMap(({ nfr_phrasings }) => nfr_phrasings),
  nfr_workflows: parts.flatMap(({ nfr_workflows }) => nfr_workflows),
  regression: parts.flatMap(({ regression }) => regression),
});
