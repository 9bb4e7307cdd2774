/** The open runs of this process: spec, plan, tasks, ledger and models, loaded once per run and epoch. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { Page, PlanRevision } from '../../schemas/plan.ts';
import type { PageRef, RunRef } from '../../schemas/steps.ts';
import type { Task } from '../../schemas/task.ts';
import { InputError } from '../../domain/errors.ts';
import { studyOf } from '../../studies/index.ts';
import { pagesOf } from '../../studies/plan.ts';
import type { Accounts } from '../calls/accounts/accounts.ts';
import { stopped } from '../failures.ts';
import { batchesOf } from '../batches/models-in-batches.ts';
import type { Observe } from '../observed/events.ts';
import { observedLedger } from '../observed/observed-ledger.ts';
import { openModels } from '../calls/models.ts';
import { runCatalog } from '../storage/catalog/open-catalog.ts';
import type { Ownership } from '../storage/catalog/run-catalog.ts';
import { createKnownStops } from '../calls/known-stops.ts';
import { createClosingRuns } from './opened/closing-runs.ts';
import { createOwnerCheck } from './owner-check.ts';
import { revisionsOf } from './planned-run.ts';
import { openReusedRuns } from './reused-runs.ts';
import { refuseOtherVersions } from './run-versions.ts';
import { refuseArchived } from '../storage/archived.ts';
import type { RunHome } from '../storage/home/run-home.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { publishChange } from '../storage/manifest.ts';
import { createPublisher } from '../storage/parts/publisher.ts';
import { readInput } from '../storage/blobs/run-blobs.ts';
import { createVariantStore } from '../pages/variants.ts';
import { createCutAnswers } from '../calls/cut-answers.ts';
import { createReasoners } from '../calls/reasoners.ts';
import { createVersionWatch } from '../calls/versions.ts';
import type { Run, RunPage } from './opened/run.ts';

export interface Runs {
  open(ref: RunRef): Promise<Run>;
  page(ref: PageRef): Promise<RunPage>;
  /** Keeps a run open during `work`, and for a while after the last of such works. */
  during<T>(ref: RunRef, work: () => Promise<T>): Promise<T>;
  /** Publishes sealed pages and closes the ledgers. */
  close(): Promise<void>;
}

export interface RunsOptions {
  readonly runsDir: string;
  readonly accounts: Accounts;
  /** Told of what happens in the runs; undefined if nobody asked for it. */
  readonly observe?: Observe | undefined;
  /**
   * How long an idle run stays open: its ledger takes tens of megabytes, and keeps `gc` from removing the run, but the
   * next step must load the plan and the tasks again.
   */
  readonly idleMs?: number;
}

export function createRuns({ runsDir, accounts, observe, idleMs = 60_000 }: RunsOptions): Runs {
  const catalog = runCatalog(runsDir);
  const runs = new Map<string, OpenRun>();
  const closing = createClosingRuns(closeLedger, ({ models }) => models.close());
  const open = async ({ runId, uuid }: RunRef): Promise<Run> => {
    await closing.ended(uuid);
    const home = catalog.home(runId);
    const manifest = await home.manifest();
    if (manifest.uuid !== uuid)
      throw new Error(`run ${runId} in ${runsDir} has the uuid ${manifest.uuid}, not the requested ${uuid}`);
    refuseArchived(home.folder, manifest);
    stopWhereOtherVersion(manifest);
    return loadRun(home, manifest, { runsDir, accounts, observe, ownership: catalog.ownership(runId) });
  };
  const entry = (ref: RunRef): OpenRun => {
    catalog.home(ref.runId).refuseMoved();
    const key = `${ref.uuid}/${ref.epoch}`;
    const known = runs.get(key);
    if (known) return known;
    const opened: OpenRun = { run: open(ref), steps: 0, idle: undefined };
    runs.set(key, opened);
    opened.run.catch(() => forget(key, opened));
    return opened;
  };
  const forget = (key: string, opened: OpenRun): void => {
    if (runs.get(key) === opened) runs.delete(key);
  };
  const closeIdle = ({ uuid, epoch }: RunRef, idle: OpenRun): void => {
    forget(`${uuid}/${epoch}`, idle);
    closing.begin(uuid, idle.run);
  };
  return {
    open: async (ref) => await entry(ref).run,
    page: async (ref) => (await entry(ref.run).run).page(ref.page),
    async during(ref, work) {
      const held = entry(ref);
      held.steps += 1;
      clearTimeout(held.idle);
      try {
        return await work();
      } finally {
        held.steps -= 1;
        if (held.steps === 0) held.idle = setTimeout(() => closeIdle(ref, held), idleMs).unref();
      }
    },
    async close() {
      const open = [...runs.values()];
      for (const { idle } of open) clearTimeout(idle);
      await Promise.allSettled([...closing.all(), ...open.map(async ({ run }) => closeRun(await run))]);
    },
  };
}

/** A worker restarted after an update may have other versions than the run. */
function stopWhereOtherVersion(manifest: Manifest): void {
  try {
    refuseOtherVersions(manifest);
  } catch (error) {
    throw error instanceof InputError ? stopped('paused', error.message) : error;
  }
}

/** An owner whose session is lost with a restart of the database takes its run again within this time. */
const serversBackMs = 20_000;

interface OpenRun {
  readonly run: Promise<Run>;
  /** Steps in progress on this run. */
  steps: number;
  /** Closes the run; set when the last of them ended. */
  idle: NodeJS.Timeout | undefined;
}

async function closeRun(run: Run): Promise<void> {
  await closeLedger(run);
  await run.models.close();
}

async function closeLedger({ publisher, ledger, reused }: Run): Promise<void> {
  reused.close();
  try {
    await publisher.flush();
  } finally {
    await ledger.close();
  }
}

type LoadOptions = Pick<RunsOptions, 'runsDir' | 'accounts' | 'observe'> & { readonly ownership: Ownership };

async function loadRun(home: RunHome, manifest: Manifest, options: LoadOptions): Promise<Run> {
  const revisions = await revisionsOf(home, manifest);
  const tasks = await loadTasks(home, manifest);
  // Providers read recordings from files.
  await home.fetch(Object.values(manifest.replays));
  const ledger = observedLedger(await home.openLedger(manifest), manifest.runId, options.observe);
  try {
    return await runOn(ledger, { home, manifest, revisions, tasks, ...options });
  } catch (error) {
    // Open, it would keep `gc` and `archive` from the run as long as this process lives.
    await ledger.close().catch(() => {});
    throw error;
  }
}

interface Loaded extends LoadOptions {
  readonly home: RunHome;
  readonly manifest: Manifest;
  readonly revisions: readonly PlanRevision[];
  readonly tasks: ReadonlyMap<string, ReadonlyMap<string, Task>>;
}

async function runOn(ledger: Ledger, loaded: Loaded): Promise<Run> {
  const { home, manifest, revisions, tasks, runsDir, accounts, ownership } = loaded;
  const { spec } = manifest;
  const [reasoners, batches] = [await createReasoners(ledger), await batchesOf(spec, ledger)];
  const pages = new Map(pagesOf(revisions).map((one, rank) => [one.page.page, { ...one, rank }]));
  const tasksOf = (benchmark: string): ReadonlyMap<string, Task> => tasks.get(benchmark) ?? new Map();
  const models = openModels({ folder: home.folder, manifest, accounts, tasksOf, ledger });
  const run: Run = {
    home,
    runId: manifest.runId,
    uuid: manifest.uuid,
    manifest,
    spec,
    ledger,
    reused: openReusedRuns(runsDir, spec),
    versions: createVersionWatch(ledger),
    reasoners,
    noteCutAnswers: createCutAnswers(ledger),
    ...batches,
    publisher: createPublisher((change) => publishChange(home, ledger, change)),
    isStopped: createKnownStops(ledger),
    sandbox: manifest.sandbox,
    revisions,
    variantPages: [...pages.values()].flatMap(({ page }) => (page.phase === 'variants' ? [page] : [])),
    variants: createVariantStore(ledger),
    checkOwner: createOwnerCheck(
      manifest.runId,
      ownership,
      () => home.refuseMoved(),
      home.isOnServers ? serversBackMs : 0,
    ),
    endDetached: ownership.endDetached,
    tasks: tasksOf,
    models,
    model: models.model,
    study: (name) =>
      found(
        spec.studies.find((study) => study.name === name),
        `study ${name}`,
        manifest.runId,
      ),
    page: (id) => {
      const { page, revision, rank } = found(pages.get(id), `page ${id}`, manifest.runId);
      return runPage(run, page, revision, rank);
    },
  };
  return run;
}

async function loadTasks({ blobs }: RunHome, manifest: Manifest): Promise<Map<string, Map<string, Task>>> {
  const loaded = Object.entries(manifest.benchmarks).map(async ([name, input]) => {
    const tasks = (await readInput(blobs, input))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Task);
    return [name, new Map(tasks.map((task) => [task.taskId, task]))] as const;
  });
  return new Map(await Promise.all(loaded));
}

function runPage(
  run: Run,
  { page, study: studyName, model, cells, phase }: Page,
  revision: number,
  rank: number,
): RunPage {
  const study = run.study(studyName);
  const tasks = run.tasks(study.benchmark);
  const lane = { run: run.runId, study: studyName, model, benchmark: study.benchmark };
  return {
    run,
    page,
    revision,
    rank,
    model,
    study,
    kind: studyOf(study),
    cells,
    phase: phase ?? 'study',
    task: (taskId) => found(tasks.get(taskId), `task ${taskId}`, run.runId),
    taskIn: (benchmark, taskId) =>
      found(run.tasks(benchmark).get(taskId), `task ${taskId} in benchmark ${benchmark}`, run.runId),
    variant: ({ taskId, variant }) =>
      variant === 'original'
        ? null
        : run.variants.find(study, found(tasks.get(taskId), `task ${taskId}`, run.runId), variant),
    key: ({ cell }) => ({
      ...lane,
      task_id: cell.taskId,
      language: cell.language,
      variant: cell.variant,
      setting: cell.setting,
      repetition: cell.repetition,
    }),
    coordinates: ({ cell, task }) => ({
      study: studyName,
      benchmark: study.benchmark,
      taskId: cell.taskId,
      sourceTaskId: task.sourceTaskId,
      language: cell.language,
      variant: cell.variant,
      setting: cell.setting,
      repetition: cell.repetition,
    }),
  };
}

function found<T>(value: T | undefined, what: string, runId: string): T {
  if (value === undefined) throw new Error(`run ${runId} has no ${what}; this step does not match its plan`);
  return value;
}
