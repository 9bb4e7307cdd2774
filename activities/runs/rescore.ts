/**
 * Judges a run's stored replies under another extraction rule: creates a new run that replays them,
 * so that no call can be made.
 */
import { pagesOf } from '../../studies/plan.ts';
import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRun } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { ExtractionName } from '../../schemas/spec/fields.ts';
import { cellsWith, type PageCell } from '../pages/cell-states.ts';
import { drivenFact } from '../judging/driver-program.ts';
import { executionKey, referenceKey, type SandboxIdentity } from '../judging/execution-key.ts';
import { replayLines } from '../exchange/export-replay.ts';
import { rulesOf } from './extraction-rules.ts';
import { pagePrograms, qualityFact, timedSuite, timingFact } from '../judging/page-programs.ts';
import type { Run, RunPage } from './runs.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { makeFolder } from '../storage/files/make-folder.ts';
import { createRunFolder, putInput } from '../storage/run-folder.ts';
import { variantFact } from '../pages/variants.ts';
import { programVersion } from './version.ts';

export interface RescoreOptions {
  readonly run: Run;
  /** The new run. */
  readonly folder: string;
  readonly runId: string;
  readonly extraction: ExtractionName;
  readonly sandbox: SandboxIdentity;
}

/** Creates the new run's folder with the plan, tasks and replies of the old one, under the other rule. */
export async function createRescored({ run, folder, runId, extraction, sandbox }: RescoreOptions): Promise<Manifest> {
  const spec = rescoredSpec(run.spec, extraction);
  const { plan, benchmarks, versions, rescored: _older, seals: _seals, ...old } = run.manifest;
  const before = await verdictsOf(run.folder);
  return createRunFolder(folder, async (aside) => {
    for (const { file } of [...plan, ...Object.values(benchmarks)]) copyInput(run.folder, aside, file);
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
      benchmarks,
      replays: Object.fromEntries(spec.models.map(({ id }) => [id, replayOf(aside, run, id)])),
      versions: { ...versions, extraction: rulesOf(spec) },
      sandbox: { ...sandbox },
      rescored: { run: run.runId, uuid: run.uuid, extraction, verdicts: putInput(aside, before, 'jsonl') },
      parts: [],
    };
  });
}

const rescoredSpec = ({ providers: _accounts, budget: _budget, ...spec }: Spec, extraction: ExtractionName): Spec => ({
  ...spec,
  providers: {},
  models: spec.models.map(({ price: _price, profile: _profile, ...model }) => ({
    ...model,
    provider: 'replay',
    file: `${model.id}.jsonl`,
  })),
  studies: spec.studies.map((study) => ({ ...study, extraction })),
});

/** For the table of moved verdicts: the new run's tables are made from its own folder alone. */
async function verdictsOf(runFolder: string): Promise<string> {
  const database = await openRun(runFolder);
  try {
    const rows = await records(database, 'from verdicts order by all');
    return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  } finally {
    database.close();
  }
}

function copyInput(from: string, to: string, file: string): void {
  makeFolder(join(to, 'inputs'));
  copyFileSync(join(from, file), join(to, file));
}

function replayOf(folder: string, run: Run, model: string): Manifest['replays'][string] {
  const text = [...replayLines(run, model, true)].join('');
  return { ...putInput(folder, text, 'jsonl'), ...(run.model(model).simulated && { simulated: true }) };
}

/**
 * Copies what stays valid from the old run: prompt variants, references, verdicts, measures.
 * Returns the number of verdicts.
 */
export async function takeOverVerdicts(
  run: Run,
  ledger: Ledger,
  extraction: ExtractionName,
  sandbox: SandboxIdentity,
): Promise<number> {
  for (const { benchmark } of run.spec.studies) await takeOverReferences(run, ledger, benchmark, sandbox);
  for (const study of run.spec.studies) {
    for (const task of run.tasks(study.benchmark).values()) await takeOverFact(run, ledger, variantFact(study, task));
  }
  let taken = 0;
  for (const { page } of pagesOf(run.revisions))
    taken += await takeOverPage(run.page(page.page), ledger, extraction, sandbox);
  return taken;
}

async function takeOverReferences(
  run: Run,
  ledger: Ledger,
  benchmark: string,
  sandbox: SandboxIdentity,
): Promise<void> {
  for (const task of run.tasks(benchmark).values()) {
    for (const suite of task.suites) {
      const reference = run.ledger.reference(referenceKey(sandbox, task, suite));
      if (reference !== undefined) await ledger.saveReference(reference);
    }
  }
}

async function takeOverPage(
  page: RunPage,
  ledger: Ledger,
  extraction: ExtractionName,
  sandbox: SandboxIdentity,
): Promise<number> {
  const rescored: RunPage = { ...page, study: { ...page.study, extraction } };
  const samples = page.run.ledger.samples(page.page);
  const cells = cellsWith(rescored, samples);
  let taken = 0;
  for (const { key } of samples)
    taken += await takeOverSample(rescored, cells[key.cell] as PageCell, key, ledger, sandbox);
  for (const program of pagePrograms(rescored, cells)) {
    const suite = timedSuite(rescored, program);
    const names = [qualityFact(program), ...(suite === undefined ? [] : [timingFact(rescored, program, suite)])];
    for (const name of names) await takeOverFact(page.run, ledger, name);
  }
  return taken;
}

async function takeOverSample(
  page: RunPage,
  cell: PageCell,
  at: Parameters<PageCell['taskAt']>[0],
  ledger: Ledger,
  sandbox: SandboxIdentity,
): Promise<number> {
  const answer = cell.answer(at);
  const code = (answer && page.kind.extract(page.study, cell, at, answer)?.code) ?? null;
  if (code === null) return 0;
  const task = cell.taskAt(at);
  let taken = 0;
  for (const suite of task.suites) {
    const key = executionKey(sandbox, task, suite, code);
    const verdict = page.run.ledger.verdict(key);
    if (verdict === undefined || ledger.verdict(key) !== undefined) continue;
    await takeOverFact(page.run, ledger, drivenFact(key));
    await ledger.saveVerdict(verdict);
    taken += 1;
  }
  return taken;
}

async function takeOverFact(run: Run, ledger: Ledger, name: string): Promise<void> {
  const json = run.ledger.fact(name);
  if (json !== undefined) await ledger.saveFact(name, json);
}
