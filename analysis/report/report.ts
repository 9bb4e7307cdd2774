/** The content of a report, without layout. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import type { AcrossRuns } from '../across/across-runs.ts';
import type { RunDatabase } from '../database.ts';
import { type Agreement, agreement } from './agreement/agreement.ts';
import { type EffortPoint, effortPoints } from './efforts/effort-curve.ts';
import { currentModelCosts } from '../model-costs.ts';
import { records } from '../records.ts';
import { missingTablesText } from '../../domain/missing-tables/missing-text.ts';
import { unlessMissing } from '../../domain/missing-tables/unless-missing.ts';
import type { Cards } from '../card/card-source.ts';
import { type Ceiling, ceilings } from './ceilings.ts';
import { type ExcludedVerdicts, excludedVerdicts } from './notes/excluded.ts';
import { type ModelCalls, modelCalls } from './model-calls.ts';
import type { StudyReport } from './study-report.ts';

export interface Report extends RunsReport {
  readonly studies: readonly StudyReport[];
  /** Rows of `variance_parts`. */
  readonly variance: readonly Row[];
  readonly cards: Cards;
  /** Null for a single run. */
  readonly across: AcrossRuns | null;
}

/** What a report shows for every run, whatever the kinds of its studies. */
export interface RunsReport {
  readonly runs: readonly ReportRun[];
  readonly ceilings: readonly Ceiling[];
  readonly calls: readonly ModelCalls[];
  /** Rows of `model_costs`. */
  readonly costs: readonly Row[];
  /** Studies at several reasoning efforts. */
  readonly efforts: readonly EffortPoint[];
  readonly excluded: readonly ExcludedVerdicts[];
  /** Of imported answers: verdicts here beside those of the tool that they came from. */
  readonly agreement: Agreement;
}

/** Counts of cells. */
export interface RunCoverage {
  readonly run: string;
  readonly planned: number;
  readonly sealed: number;
  readonly missing: number;
}

export interface ReportRun extends RunCoverage {
  readonly uuid: string;
  readonly state: Manifest['state'];
  readonly stateDetail: string | null;
  /** Derived tables that could not be computed, with the reasons; null for none. */
  readonly missingTables: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
  /** Models of the run that are simulated. */
  readonly simulatedModels: readonly string[];
  readonly seed: number;
  readonly specText: string;
  /** What the results depend on, as name and value. Names may repeat. */
  readonly provenance: readonly { readonly name: string; readonly value: string }[];
}

export async function collectRunsReport(database: RunDatabase, covered: readonly RunCoverage[]): Promise<RunsReport> {
  // Awaited at once: a query of a damaged table may fail before the next line is done, and nobody would be told.
  const runs = await Promise.all(
    database.manifests.map((manifest, index) => reportRun(database, manifest, covered[index] as RunCoverage)),
  );
  const costs = await unlessMissing(
    database,
    () => currentModelCosts(database),
    () => [],
  );
  return {
    runs,
    ceilings: await ceilings(database),
    calls: await modelCalls(database),
    costs,
    efforts: await effortPoints(database, costs),
    excluded: await excludedVerdicts(database),
    agreement: await agreement(database),
  };
}

async function reportRun(database: RunDatabase, manifest: Manifest, covered: RunCoverage): Promise<ReportRun> {
  const sandboxes = await records(database, 'SELECT DISTINCT tier, engine, image_digest FROM executions ORDER BY ALL');
  const simulated = await records(
    database,
    'SELECT DISTINCT run, model FROM models WHERE simulated UNION SELECT DISTINCT run, model FROM loops WHERE ' +
      'simulated ORDER BY ALL',
  );
  return {
    ...covered,
    uuid: manifest.uuid,
    state: manifest.state,
    stateDetail: manifest.stateDetail,
    missingTables: missingTablesText(manifest.missingTables),
    createdAt: manifest.createdAt,
    updatedAt: manifest.updatedAt,
    finishedAt: manifest.finishedAt,
    simulatedModels: simulated.filter((row) => row['run'] === manifest.runId).map((row) => String(row['model'])),
    seed: manifest.spec.seed,
    specText: manifest.specText,
    provenance: [
      ...manifestProvenance(manifest),
      ...sandboxes.map((row) => ({
        name: 'Sandbox',
        value: [row['tier'], row['engine'], row['image_digest']].join(', '),
      })),
    ],
  };
}

function manifestProvenance(manifest: Manifest): { name: string; value: string }[] {
  const { versions } = manifest;
  return [
    { name: 'Run', value: `${manifest.runId} (${manifest.uuid})` },
    { name: 'Program', value: `evenkeel ${manifest.programVersion}, run format ${manifest.formatVersion}` },
    { name: 'Seed', value: String(manifest.spec.seed) },
    ...Object.entries(versions.prompts).map(([kind, version]) => ({ name: `Prompts, ${kind}`, value: version })),
    ...(versions.extraction === undefined
      ? [{ name: 'Code extraction', value: versions.extractor }]
      : Object.entries(versions.extraction).map(([study, rule]) => ({
          name: `Code extraction, ${study}`,
          value: rule,
        }))),
    { name: 'Scoring', value: versions.scorer },
    { name: 'Prices', value: versions.prices },
    ...manifest.plan.map((plan) => ({
      name: `Plan revision ${plan.revision}`,
      value: [
        `${plan.cells} cells in ${plan.pages} pages`,
        ...(plan.reopened === undefined ? [] : [`${plan.reopened} earlier pages reopened`]),
        plan.createdAt,
        `sha256 ${plan.sha256}`,
      ].join(', '),
    })),
    ...Object.entries(manifest.benchmarks).map(([name, file]) => ({
      name: `Benchmark ${name}`,
      value: `${file.format}, ${file.tasks} tasks, source sha256 ${file.sourceSha256}`,
    })),
    ...Object.entries(manifest.leftOut ?? {}).map(([study, tasks]) => ({
      name: `Excluded from ${study}`,
      value:
        `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} whose reference takes longer than maxReferenceMs: ` +
        `${tasks.map(({ taskId }) => taskId).join(', ')}`,
    })),
    ...Object.entries(manifest.replays).map(([model, file]) => ({
      name: `Recording of ${model}`,
      value: `sha256 ${file.sha256}`,
    })),
    {
      name: 'Sandbox planned',
      value: [manifest.sandbox.tier, manifest.sandbox.engine, manifest.sandbox.imageDigest].join(', '),
    },
  ];
}
