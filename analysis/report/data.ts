/** Everything that a report shows, collected in one place and free of layout. It is also what `--format json` prints. */
import type { Manifest } from '../../schemas/manifest.ts';
import { type ChainTables, currentChains } from '../chain-tables.ts';
import { coverage, type RunCoverage } from '../coverage.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import type { ExternalRanking } from '../external-ranking.ts';
import { type LeaderboardRow, leaderboard } from '../leaderboard.ts';
import { type LoopQuestions, loopQuestions } from '../loop-questions.ts';
import { modelCosts } from '../model-costs.ts';
import { records } from '../records.ts';
import { type Ceiling, ceilings } from './ceilings.ts';
import { type Ending, endings } from './endings.ts';
import { type ModelCalls, modelCalls } from './model-calls.ts';
import { collectPromptse, type PromptseReport } from './promptse-data.ts';
import { collectRobunfr, type RobunfrReport } from './robunfr-data.ts';
import { collectSpecificity, type SpecificityReport } from './specificity-data.ts';
import { type TaskMatrix, taskMatrices } from './task-matrix.ts';

export interface ReportData {
  readonly runs: readonly ReportRun[];
  readonly leaderboard: readonly LeaderboardRow[];
  readonly ceilings: readonly Ceiling[];
  readonly endings: readonly Ending[];
  readonly matrices: readonly TaskMatrix[];
  readonly calls: readonly ModelCalls[];
  /** Rows of `model_costs`. */
  readonly costs: readonly Row[];
  readonly evaloop: LoopQuestions;
  readonly promptse: PromptseReport;
  readonly robunfr: RobunfrReport;
  readonly specificity: SpecificityReport;
  readonly chains: ChainTables;
}

export interface ReportRun extends RunCoverage {
  readonly uuid: string;
  readonly state: Manifest['state'];
  readonly stateDetail: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
  /** Models of the run that are simulated. */
  readonly simulatedModels: readonly string[];
  readonly seed: number;
  readonly specText: string;
  /** What the results depend on, as name and value; a name may come more than once. */
  readonly provenance: readonly { readonly name: string; readonly value: string }[];
}

/** @param ranking another ranking of the models, to set beside theirs */
export async function collectReportData(database: RunDatabase, ranking: ExternalRanking | null = null): Promise<ReportData> {
  const covered = await coverage(database);
  const runs = await Promise.all(database.manifests.map((manifest, index) => reportRun(database, manifest, covered[index] as RunCoverage)));
  const boards = await leaderboard(database);
  return {
    runs,
    leaderboard: boards,
    ceilings: await ceilings(database),
    endings: await endings(database),
    matrices: await taskMatrices(
      database,
      boards.filter(({ setting }) => setting === 'default'),
    ),
    calls: await modelCalls(database),
    costs: await modelCosts(database),
    evaloop: await loopQuestions(database, boards, ranking),
    promptse: await collectPromptse(database),
    robunfr: await collectRobunfr(database),
    specificity: await collectSpecificity(database),
    chains: await currentChains(database),
  };
}

async function reportRun(database: RunDatabase, manifest: Manifest, covered: RunCoverage): Promise<ReportRun> {
  const sandboxes = await records(database, 'SELECT DISTINCT tier, engine, image_digest FROM executions ORDER BY ALL');
  const simulated = await records(
    database,
    'SELECT DISTINCT run, model FROM models WHERE simulated UNION SELECT DISTINCT run, model FROM loops WHERE simulated ORDER BY ALL',
  );
  return {
    ...covered,
    uuid: manifest.uuid,
    state: manifest.state,
    stateDetail: manifest.stateDetail,
    createdAt: manifest.createdAt,
    updatedAt: manifest.updatedAt,
    finishedAt: manifest.finishedAt,
    simulatedModels: simulated.filter((row) => row['run'] === manifest.runId).map((row) => String(row['model'])),
    seed: manifest.spec.seed,
    specText: manifest.specText,
    provenance: [
      ...manifestProvenance(manifest),
      ...sandboxes.map((row) => ({ name: 'Sandbox', value: [row['tier'], row['engine'], row['image_digest']].join(', ') })),
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
      : Object.entries(versions.extraction).map(([study, rule]) => ({ name: `Code extraction, ${study}`, value: rule }))),
    { name: 'Scoring', value: versions.scorer },
    { name: 'Prices', value: versions.prices },
    ...manifest.plan.map((plan) => ({
      name: `Plan revision ${plan.revision}`,
      value: `${plan.cells} cells in ${plan.pages} pages, ${plan.createdAt}, sha256 ${plan.sha256}`,
    })),
    ...Object.entries(manifest.benchmarks).map(([name, file]) => ({
      name: `Benchmark ${name}`,
      value: `${file.format}, ${file.tasks} tasks, source sha256 ${file.sourceSha256}`,
    })),
    ...Object.entries(manifest.leftOut ?? {}).map(([study, tasks]) => ({
      name: `Left out of ${study}`,
      value: `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} whose reference takes longer than maxReferenceMs: ${tasks.map(({ taskId }) => taskId).join(', ')}`,
    })),
    ...Object.entries(manifest.replays).map(([model, file]) => ({ name: `Recording of ${model}`, value: `sha256 ${file.sha256}` })),
    { name: 'Sandbox planned', value: [manifest.sandbox.tier, manifest.sandbox.engine, manifest.sandbox.imageDigest].join(', ') },
  ];
}
