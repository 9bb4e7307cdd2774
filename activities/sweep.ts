/** Steps for the whole run: what is left to do at its start, and the tables of all pages at its end. */
import { counted } from '../domain/counted.ts';
import { interruption } from '../schemas/states.ts';
import { tables } from '../schemas/tables.ts';
import type { RunRef, SweepPlan, SweepReport } from '../schemas/steps.ts';
import { noRoomText } from './calls/no-room.ts';
import { overrunTexts } from './calls/overruns.ts';
import { clearReplaced } from './compact/exchange.ts';
import { mergePages } from './compact/merge-pages.ts';
import { takeOpenPagesApart } from './compact/open-pages.ts';
import type { Heartbeat } from './heartbeat.ts';
import { variantLane } from './lanes.ts';
import { hasGrownPages } from './runs/planned-run.ts';
import { repairOrRefuse } from './runs/repair-parts.ts';
import { writeTablesOfRun } from './rows/run-tables.ts';
import type { Run } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';
import { runCatalog } from './storage/catalog/open-catalog.ts';
import type { RunCatalog } from './storage/catalog/run-catalog.ts';
import { finishRun } from './storage/manifest.ts';
import { writeViews } from './rows/views-file.ts';

/** Distinct reasons why pages failed that a run's state names. */
const namedFailures = 10;

export interface SweepDependencies {
  readonly runsDir: string;
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
}

export function createSweep({ runsDir, runs, heartbeat }: SweepDependencies) {
  return {
    openSweep: (ref: RunRef): Promise<SweepPlan> =>
      heartbeat(async () => {
        const run = await runs.open(ref);
        await run.ledger.openUnit('run/open', ref.epoch);
        await run.ledger.reopenFailedPages();
        await takeOpenPagesApart(run, ref.epoch);
        const names = Object.keys(run.spec.benchmarks);
        const references = names.map((benchmark) => ({ benchmark, tasks: run.tasks(benchmark).size }));
        return { references, variants: await variantLane(run), batches: run.batches };
      }),
    finishSweep: ({ run: ref, report }: { run: RunRef; report: SweepReport }): Promise<void> =>
      heartbeat(async () => {
        const run = await runs.open(ref);
        await finish(run, ref.epoch, report);
        await run.endDetached(ref.epoch);
      }),
    /** Of a detached sweep that cannot go on; that of a process is given up by the process. */
    giveUpSweep: ({ run: ref, reason }: { run: RunRef; reason: string }): Promise<void> =>
      heartbeat(() => giveUp(runCatalog(runsDir), ref, reason)),
  };
}

/** Needs no more of the run than its manifest and its ledger: what it is given up for may be its inputs. */
async function giveUp(catalog: RunCatalog, { runId, epoch }: RunRef, reason: string): Promise<void> {
  const home = catalog.home(runId);
  const manifest = await home.manifest();
  const ledger = await home.openLedger(manifest);
  try {
    await finishRun(home, ledger, epoch, { planRevisions: manifest.plan.length, reason });
  } finally {
    await ledger.close();
  }
  await catalog.ownership(runId).endDetached(epoch);
}

async function finish(run: Run, epoch: number, report: SweepReport): Promise<void> {
  // A process may be killed after it sealed a page and before it moved the page's parts.
  const missing = await run.home.parts.settle(run.ledger);
  if (missing.length > 0) await repairOrRefuse(run, missing);
  await run.home.parts.removeOrphans(run.ledger, Object.keys(tables));
  await mergePages(run, epoch);
  await writeTablesOfRun(run, epoch);
  await clearReplaced(run);
  await writeViews(run.home);
  await finishRun(run.home, run.ledger, epoch, {
    planRevisions: run.revisions.length,
    hasOpenPages: await hasGrownPages(run.home, run.ledger),
    reason: await incompleteBecause(run, epoch, report),
  });
}

/**
 * The reasons with their counts, what a call needs of a spent budget, then a line for each stopped model and for
 * distinct reasons why pages failed. Null for a complete run.
 */
async function incompleteBecause(run: Run, epoch: number, report: SweepReport): Promise<string | null> {
  const { failed } = report;
  const stopped = await stopsByCause(run, report.stopped);
  const reasons = [...Object.keys(stopped), ...(failed > 0 ? ['failed pages'] : [])];
  if (reasons.length === 0) return null;
  const { stopped: stops, failedPages } = await run.ledger.progress();
  const money = 'budget' in stopped ? await moneyLines(run, epoch) : [];
  const closed = stops.filter(({ reason }) => reason === 'model_stopped');
  const failures = [...new Set(failedPages.map(({ reason }) => `failed: ${reason}`))];
  const unnamed = failures.length - namedFailures;
  const pages = Object.values(stopped).reduce((sum, count) => sum + count, 0);
  return [
    `${reasons.join(', ')}: ${counted(pages, 'page')} stopped, ${failed} failed`,
    ...money,
    ...closed.map(({ detail }) => detail),
    ...failures.slice(0, namedFailures),
    ...(unnamed > 0 ? [`and ${counted(unnamed, 'other reason')}`] : []),
  ].join('\n  ');
}

/** Pages stop as paused also once nobody owns the run any more, although nobody asked for a pause. */
async function stopsByCause(run: Run, stopped: SweepReport['stopped']): Promise<Readonly<Record<string, number>>> {
  const { paused, ...others } = stopped;
  return paused !== undefined && (await isInterrupted(run)) ? { [interruption]: paused, ...others } : stopped;
}

async function isInterrupted({ ledger, checkOwner }: Run): Promise<boolean> {
  const stop = await ledger.runStop();
  if (stop !== null) return stop.detail === interruption;
  return checkOwner().then(
    () => false,
    () => true,
  );
}

async function moneyLines({ ledger, spec }: Run, epoch: number): Promise<string[]> {
  const noRoom = await noRoomText(ledger, epoch, spec);
  return [...(noRoom === null ? [] : [noRoom]), ...(await overrunTexts(ledger, spec))];
}
