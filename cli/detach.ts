/** `--detach`: the run is started, and left to the workers of its store. */
import { openedStore } from '../activities/storage/opened-store.ts';
import { InputError } from '../domain/errors.ts';
import { startDetached } from '../workers/detached-sweep.ts';
import type { OpenRun } from './carry-out.ts';
import { commandName } from './command-name.ts';
import { type ExitStatus, exitStatus } from './exit-status.ts';
import { quoted } from '../activities/storage/files/quoted.ts';
import type { Terminal } from './output/terminal.ts';

/** Throws `InputError` where runs are in a folder: their workers end with the command. */
export function refuseDetachInFolder(detach: boolean): void {
  if (!detach || openedStore() !== null) return;
  throw new InputError(
    'needs a store on servers (EVENKEEL_STORE; docs/operations/scale.md): a run in a folder goes on only as long as ' +
      'its command. Start the command in the background instead: with nohup, tmux or as a service',
    { field: '--detach' },
  );
}

export async function detach(
  { runsDir, home, manifest, ledger, retry, liftedStop }: OpenRun,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { runId, uuid, spec, sandbox } = manifest;
  const begun = { runsDir, runId, uuid, spec, ledger, sandbox, retry, liftedStop };
  const run = { ...begun, env: process.env, onLine: terminal.note };
  try {
    const end = await startDetached(run);
    if (end.kind === 'owned_elsewhere')
      terminal.note(`run "${runId}" is already running in another process, which carries it out`);
    else sayDetached(runId, end, terminal);
    terminal.document({ run: runId, state: 'running', detached: end.kind === 'detached' });
    return exitStatus.done;
  } catch (error) {
    throw home.ledgerFault(error);
  } finally {
    await ledger.close();
  }
}

/** For a detached run to which nothing was added. */
export function stillDetached(runId: string, terminal: Terminal): ExitStatus {
  terminal.note(`run "${runId}" goes on without a command already${follow(runId)}`);
  terminal.document({ run: runId, state: 'running', detached: true });
  return exitStatus.done;
}

function sayDetached(
  runId: string,
  { build, unserved }: { readonly build: string; readonly unserved: readonly string[] },
  terminal: Terminal,
): void {
  terminal.note(`run "${runId}" goes on without this command, by workers of build ${build}${follow(runId)}`);
  if (unserved.length > 0)
    terminal.note(
      `note: no worker of this build waits at ${unserved.join(', ')} now: such steps wait until one is started ` +
        `(${commandName()} worker, with the same program)`,
    );
}

const follow = (runId: string): string => `. Follow it with:\n  ${commandName()} status ${quoted(runId)} --watch`;
