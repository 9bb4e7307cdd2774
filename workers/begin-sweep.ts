/** How a process that has taken a run begins to carry it out, itself or by a detached sweep. */
import { hostname } from 'node:os';
import { keysMark } from '../activities/calls/run-keys.ts';
import { strictStops } from '../activities/calls/attempts/version-stops.ts';
import type { SandboxIdentity } from '../activities/judging/execution-key.ts';
import { noteProgram } from '../activities/runs/asking-program.ts';
import { repairText } from '../activities/runs/repair-parts.ts';
import { repairBeforeSweep } from '../activities/runs/repair-run.ts';
import { runCatalog } from '../activities/storage/catalog/open-catalog.ts';
import type { RunStop } from '../activities/storage/ledger/control.ts';
import type { Ledger } from '../activities/storage/ledger/ledger.ts';
import { setRunState } from '../activities/storage/manifest.ts';
import type { Spec } from '../schemas/spec.ts';
import { interruption } from '../schemas/states.ts';
import type { RunRef } from '../schemas/steps.ts';
import { tables } from '../schemas/tables.ts';
import type { Environment } from './temporal/cache-folder.ts';

export interface BegunSweep {
  readonly runsDir: string;
  readonly runId: string;
  readonly uuid: string;
  readonly spec: Spec;
  readonly ledger: Ledger;
  /** The sandbox that the run was planned for. */
  readonly sandbox: SandboxIdentity;
  /** The only model to restart after it was stopped; all stopped models if absent. */
  readonly retry?: string | undefined;
  /** Id of the stop of the whole run to lift, null for none: a later one of a user holds. Every one if absent. */
  readonly liftedStop?: number | null | undefined;
  readonly env: Environment;
  readonly onLine: (line: string) => void;
}

/** Repairs the run's tables, and lifts whatever stopped it. */
export async function beginSweep(run: BegunSweep): Promise<void> {
  const repaired = repairText(await repairBeforeSweep(run));
  if (repaired !== null) run.onLine(repaired);
  await setRunState(runCatalog(run.runsDir).home(run.runId), 'running', null);
  await liftStops(run);
}

/**
 * Starting a run again lifts whatever stopped it. If `retry` names a model, the other models stay stopped; and those of
 * which another version answers are only asked again by name.
 */
async function liftStops({ ledger, spec, retry, liftedStop, onLine }: BegunSweep): Promise<void> {
  const laterStop = await stopSince(ledger, liftedStop);
  if (laterStop === null) await ledger.setStop(null, null, 'started again');
  else onLine(`${laterStop.detail} while this command was starting: nothing is asked`);
  const { stopped } = await ledger.progress();
  const strict = strictStops(stopped, spec).filter((model) => model !== retry);
  const isLifted = (model: string): boolean =>
    model !== '*' && !strict.includes(model) && (retry === undefined || model === retry);
  for (const { model } of stopped) if (isLifted(model)) await ledger.setStop(model, null, 'started again');
  for (const model of strict) onLine(strictNote(model));
}

/** A user's stop that came after the command that begins the sweep; null if there is none. */
async function stopSince(ledger: Ledger, before: number | null | undefined): Promise<RunStop | null> {
  const stop = before === undefined ? null : await ledger.runStop();
  return stop === null || stop.id === before || stop.detail === interruption ? null : stop;
}

const strictNote = (model: string): string =>
  `note: model "${model}" stays stopped and is not asked: another version answers than this run began with, and ` +
  `strictVersion does not allow it. Only resume --model asks it again`;

/** Makes this process's sweep the only one that may act on the run. */
export async function nextEpoch({ runsDir, runId, uuid, spec, ledger, env }: BegunSweep): Promise<RunRef> {
  const epoch = await ledger.takeOver(`${hostname()}/${process.pid}`);
  await noteProgram(ledger, epoch);
  await runCatalog(runsDir).home(runId).parts.removeOrphans(ledger, Object.keys(tables));
  const keys = keysMark(spec, uuid, env);
  return { runId, uuid, epoch, ...(keys !== null && { keys }) };
}
