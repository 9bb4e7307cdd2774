/**
 * Judges a run's stored replies under another extraction rule, other limits or other suites: creates a new run that
 * replays them, so that no call can be made.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRun } from '../../analysis/database.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { type SandboxIdentity, usualJudging } from '../judging/execution-key.ts';
import { replayLines } from '../exchange/export-replay.ts';
import { rulesOf } from '../runs/extraction-rules.ts';
import type { Changes, RescoredTasks } from './rescored-tasks.ts';
import type { Run } from '../runs/opened/run.ts';
import type { RunTables } from '../../analysis/run-folder.ts';
import type { RunCatalog } from '../storage/catalog/run-catalog.ts';
import type { BlobStore } from '../storage/blobs/blob-store.ts';
import { copyInput, putInput } from '../storage/blobs/run-blobs.ts';
import { programVersion } from '../runs/version.ts';

export interface RescoreOptions {
  readonly run: Run;
  /** The new run. */
  readonly catalog: RunCatalog;
  readonly runId: string;
  readonly changes: Changes;
  readonly rescored: RescoredTasks;
  readonly sandbox: SandboxIdentity;
}

/** Creates the new run's folder with the plan, tasks and replies of the old one, under the changed rules. */
export async function createRescored(options: RescoreOptions): Promise<Manifest> {
  const { run, catalog, runId, changes, sandbox } = options;
  const spec = rescoredSpec(run.spec, changes);
  const {
    plan,
    benchmarks: _tasks,
    versions,
    rescored: older,
    seals: _seals,
    archive: _archive,
    missingTables: _missing,
    ...old
  } = run.manifest;
  const before = await verdictsOf(await run.home.tables());
  return catalog.create(runId, async (inputs) => {
    for (const revision of plan) await copyInput(run.home.blobs, inputs, revision);
    const now = new Date().toISOString();
    return {
      ...old,
      programVersion,
      uuid: randomUUID(),
      runId,
      state: 'running',
      stateDetail: null,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
      spec,
      specText: `${JSON.stringify(spec, null, 2)}\n`,
      specFile: 'rescored.json',
      plan,
      benchmarks: await putTasks(inputs, options),
      replays: Object.fromEntries(
        await Promise.all(spec.models.map(async ({ id }) => [id, await replayOf(inputs, run, id)] as const)),
      ),
      versions: { ...versions, extraction: rulesOf(spec) },
      sandbox: { ...sandbox },
      rescored: {
        run: run.runId,
        uuid: run.uuid,
        ...(older && { asked: older.asked ?? { run: older.run, uuid: older.uuid } }),
        ...statedChanges(changes),
        verdicts: await putInput(inputs, before, 'parquet'),
      },
      parts: [],
    };
  });
}

/** As the manifest of the new run states them. */
export const statedChanges = ({ extraction, judging, suites }: Changes) => ({
  extraction: extraction ?? 'own',
  ...(Object.keys(judging).length > 0 && { judging }),
  ...(suites !== null && { suites: suites.map((suite) => (typeof suite === 'string' ? suite : suite.name)) }),
});

async function putTasks(inputs: BlobStore, { run, rescored }: RescoreOptions): Promise<Manifest['benchmarks']> {
  const entries = Object.entries(run.manifest.benchmarks).map(async ([name, { joinedSha256 = {}, ...facts }]) => {
    const lines = (rescored.tasks.get(name) ?? []).map((task) => `${JSON.stringify(task)}\n`).join('');
    const joined = { ...joinedSha256, ...rescored.joinedSha256 };
    return [name, { ...facts, ...(await putInput(inputs, lines, 'jsonl')), joinedSha256: joined }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Stored replies cost nothing and come at once, so what says how to ask for them is left out. */
function rescoredSpec({ providers: _accounts, budget: _budget, ...spec }: Spec, changes: Changes): Spec {
  const { extraction } = changes;
  return {
    ...spec,
    providers: {},
    models: spec.models.map(({ price: _price, profile: _profile, mode: _mode, batchPriceShare: _share, ...model }) => ({
      ...model,
      provider: 'replay',
      file: `${model.id}.jsonl`,
    })),
    benchmarks: Object.fromEntries(
      Object.entries(spec.benchmarks).map(([name, benchmark]) => [name, rescoredBenchmark(benchmark, changes)]),
    ),
    studies: extraction === null ? spec.studies : spec.studies.map((study) => ({ ...study, extraction })),
  };
}

type SpecBenchmark = Spec['benchmarks'][string];

function rescoredBenchmark(benchmark: SpecBenchmark, { judging, suites }: Changes): SpecBenchmark {
  const joined = new Map(
    (benchmark.suites ?? []).flatMap((suite) => (typeof suite === 'string' ? [] : [[suite.name, suite] as const])),
  );
  return {
    ...benchmark,
    ...(Object.keys(judging).length > 0 && { judging: { ...usualJudging, ...benchmark.judging, ...judging } }),
    ...(suites !== null && {
      suites: suites.map((suite) => (typeof suite === 'string' ? (joined.get(suite) ?? suite) : suite)),
    }),
  };
}

/** As Parquet, for the table of moved verdicts: the new run's tables are made from its own folder alone. */
async function verdictsOf(tables: RunTables): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-rescore-'));
  try {
    const file = join(folder, 'verdicts.parquet');
    const database = await openRun(tables, { copyTo: file });
    try {
      await database.copy('from verdicts order by all');
    } finally {
      database.close();
    }
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function replayOf(inputs: BlobStore, run: Run, model: string): Promise<Manifest['replays'][string]> {
  let text = '';
  for await (const line of replayLines(run, model, true)) text += line;
  return { ...(await putInput(inputs, text, 'jsonl')), ...(run.model(model).simulated && { simulated: true }) };
}
