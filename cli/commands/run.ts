/** `run`: from a spec to results. The same spec again attaches or resumes; a larger one extends the run. */
import type { SandboxIdentity } from '../../activities/judging/execution-key.ts';
import { openPlannedSandbox } from '../../activities/judging/planned-sandbox.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { prepareMeasuring } from '../../activities/sandboxes/measuring-parts.ts';
import { unmeasured } from '../../activities/estimate/unmeasured.ts';
import { checkAccounts } from '../../activities/runs/probe-spec.ts';
import { leftOutLines } from '../../activities/runs/left-out.ts';
import { planRun } from '../../activities/runs/plan-run.ts';
import { lostReuseLines } from '../../activities/runs/reused-runs.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { checkEnvironment } from '../../workers/check-environment.ts';
import { checkMetricsAddress } from '../../workers/metrics/check-address.ts';
import { carryOut, endOfFinished } from '../carry-out.ts';
import { checkLedger } from '../check-ledger.ts';
import { detach, refuseDetachInFolder, stillDetached } from '../detach.ts';
import { commandName } from '../command-name.ts';
import { earlierStop } from '../earlier-stop.ts';
import type { ExitStatus } from '../exit-status.ts';
import { refuseReadOnly } from '../faults/read-only.ts';
import { budgetNotes } from '../output/budget-notes.ts';
import { grownText } from '../output/recordings-text.ts';
import { measuredTimes } from '../reference-times.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { refuseElsewhere } from '../../activities/storage/catalog/run-catalog.ts';
import { checkedRunId } from '../../activities/storage/catalog/run-id.ts';
import { readSpecFile } from '../spec-file.ts';
import type { Terminal } from '../output/terminal.ts';

export async function run(
  specPath: string,
  options: { run?: string; runsDir: string; all?: boolean; probe?: boolean; detach?: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  refuseDetachInFolder(options.detach === true);
  const file = await readSpecFile(specPath);
  const runId = checkedRunId(options.run ?? file.spec.name);
  const catalog = runCatalog(options.runsDir);
  const ownership = catalog.ownership(runId);
  const isNew = !(await catalog.has(runId));
  const probe = async (): Promise<void> => {
    // The process that carries out a running run has already checked the endpoints, and serves the metrics.
    if (await ownership.isOwned()) return;
    if (options.detach !== true) await checkMetricsAddress(process.env);
    if (options.probe !== false) await checkAccounts({ ...file, path: specPath }, process.env);
  };
  const found = isNew ? null : await catalog.find(runId);
  const liftedStop = found === null ? null : await earlierStop(found.home);
  if (found !== null) {
    refuseReadOnly(found.folder, cannotContinue(runId));
    refuseElsewhere(runId, found.manifest);
    await checkLedger({ ...found, ownership }, terminal);
  }
  if (isNew) await checkEnvironment(process.env, terminal.note);
  if (isNew) await probe();
  // An existing run continues in the sandbox that it was planned for.
  const sandbox = found?.manifest.sandbox ?? (await sandboxIdentity());
  await prepareMeasuring(file.spec, sandbox.tier, cacheFolder(process.env), terminal.note);
  const referenceTimes = measuredTimes(terminal, sandbox);
  const beforeExtending = (): Promise<void> => expectSandbox(sandbox, ownership, options);
  const planned = await planRun({ ...file, runsDir: options.runsDir, runId, sandbox, referenceTimes, beforeExtending });
  if (planned.change === 'unchanged' && planned.manifest.state === 'complete') {
    await planned.ledger.close();
    terminal.note(`run "${runId}" is already complete; a larger spec would extend it`);
    return endOfFinished({ home: planned.home, runsDir: options.runsDir, all: options.all }, terminal);
  }
  // A complete run was shown above, which needs no server.
  if (!isNew) await checkEnvironment(process.env, terminal.note);
  if (!isNew)
    await probe().catch(async (error: unknown) => {
      await planned.ledger.close();
      throw error;
    });
  const resumes = planned.change === 'unchanged';
  if (!resumes) terminal.note(`run "${runId}" ${planned.change} in ${planned.home.place}`);
  for (const line of budgetNotes(runId, file.spec, found?.manifest ?? null, planned.manifest)) terminal.note(line);
  for (const line of grownText(planned.grown, await ownership.isOwned())) terminal.note(line);
  for (const line of await lostReuseLines(options.runsDir, planned.manifest.spec)) terminal.note(line);
  for (const line of leftOutLines(file.spec, planned.manifest.leftOut ?? {})) terminal.note(line);
  terminal.note(`sandbox: ${sandbox.tier}, ${sandbox.engine}`);
  for (const line of unmeasured(file.spec, sandbox.tier)) terminal.note(`note: ${line}`);
  if (options.detach) {
    const isGoingOn = planned.change === 'unchanged' && (await ownership.isDetached());
    if (!isGoingOn) return detach({ runsDir: options.runsDir, liftedStop, ...planned }, terminal);
    await planned.ledger.close();
    return stillDetached(runId, terminal);
  }
  return carryOut({ runsDir: options.runsDir, all: options.all, specPath, liftedStop, resumes, ...planned }, terminal);
}

const cannotContinue = (runId: string): string =>
  'the run cannot continue there: copy the runs directory to continue; ' +
  `"${commandName()} resume ${runId}" shows a complete run`;

/** Rejects if this machine lacks the run's sandbox, or has another version of it; not if others run its programs. */
async function expectSandbox(
  planned: SandboxIdentity,
  ownership: { isOwned(): Promise<boolean> },
  { detach }: { readonly detach?: boolean },
): Promise<void> {
  if (detach === true || (await ownership.isOwned())) return;
  await (await openPlannedSandbox(planned)).close();
}

/** The sandbox that verdicts of this machine depend on. Starts nothing. */
export async function sandboxIdentity(): Promise<{ tier: string; engine: string; imageDigest: string }> {
  const { tier, engine, imageDigest, close } = await openSandbox('auto');
  await close();
  return { tier, engine, imageDigest };
}
