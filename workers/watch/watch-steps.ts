/** The two steps of a watch, run as commands of this program, as a person or cron would type them. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { storeAt } from '../../activities/storage/opened-store.ts';
import { gateExitStatus } from '../../domain/gate/evaluate.ts';
import { isStoppedBy, type StopReason } from '../../schemas/states.ts';
import { watchOrder, type WatchStep, type WatchVerdict } from '../../schemas/watch.ts';
import type { WatchActivities } from '../../workflows/watch.ts';

/** Runs the program with these arguments and returns its exit status and the end of its stderr. */
export type RunProgram = (
  words: readonly string[],
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly said: string }>;

const badInput = 2;
const beatMs = 10_000;

/**
 * @param runsDir names the store: its runs, or the copies that this machine has of them; reports of gates go there
 * @param specsDir the only folder from which specs and policies are read:
 *   orders come from anyone who may write to the server
 */
export function createWatchSteps(runsDir: string, specsDir: string, program: RunProgram): WatchActivities {
  const place = storeAt(runsDir) === null ? ['--runs-dir', runsDir] : [];
  return { carryOutRun, judgeRun };

  async function carryOutRun(step: WatchStep): Promise<void> {
    checkStep(step, specsDir);
    const { status, said } = await beating(['run', step.spec, '--run', step.run, ...place]);
    if (status !== 0) throw failureOf('run', status, said, await isStopped(runsDir, step.run));
  }

  async function judgeRun(step: WatchStep): Promise<WatchVerdict> {
    checkStep(step, specsDir);
    const [run, markdown, junit] = [step.run, join(runsDir, step.run, 'gate.md'), join(runsDir, step.run, 'gate.xml')];
    const words = [
      'gate',
      run,
      '--against',
      step.against,
      '--policy',
      step.policy,
      '--markdown',
      markdown,
      '--junit',
      junit,
    ];
    const { status, said } = await beating([...words, ...place]);
    const outcome = (['passed', 'failed', 'inconclusive'] as const).find((one) => gateExitStatus[one] === status);
    if (outcome === undefined) throw failureOf('gate', status, said);
    return { run, outcome };
  }

  async function beating(words: readonly string[]): Promise<{ status: number; said: string }> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), beatMs);
    try {
      return await program(words, context.cancellationSignal);
    } finally {
      clearInterval(beat);
    }
  }
}

/** Orders from the server are checked before use: a spec decides which keys are used, and for what. */
function checkStep({ run, ...order }: WatchStep, specsDir: string): void {
  const { name, spec, policy, against } = watchOrder.parse(order);
  for (const id of [run, name, against])
    if (!/^[A-Za-z0-9][A-Za-z0-9._ -]{0,119}$/.test(id))
      throw refusal(`a run's name must be letters, digits, dots, underscores, spaces and hyphens, got "${id}"`);
  for (const file of [spec, policy]) refuseOutside(specsDir, file);
}

/** Follows links, so a link cannot lead outside of the folder. */
function refuseOutside(specsDir: string, file: string): void {
  const [folder, path] = [realPath(specsDir), realPath(file)];
  if (path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return;
  throw refusal(
    `${file} is not in ${folder}, the folder from which \`schedule serve\` reads specs and policies; use --specs ` +
      'FOLDER to name another',
  );
}

/** The path itself if there is no such file: opening it reports the error. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

const refusal = (message: string): ApplicationFailure =>
  ApplicationFailure.create({ message, type: 'evenkeel schedule', nonRetryable: true });

/**
 * An invalid spec is not retried, and no run that a person stopped, or whose budget is spent: it would stop again at
 * once. Anything else is, and an interrupted run is resumed.
 */
function failureOf(verb: string, status: number, said: string, isEnd = false): ApplicationFailure {
  const message = `evenkeel ${verb} ended with status ${status}: ${said}`;
  return ApplicationFailure.create({ message, type: `evenkeel ${verb}`, nonRetryable: isEnd || status === badInput });
}

const meantStops: readonly StopReason[] = ['budget', 'paused', 'cancelled'];

/** False for a run that cannot be read: another attempt says what is wrong. */
async function isStopped(runsDir: string, run: string): Promise<boolean> {
  try {
    const { state, stateDetail } = await runCatalog(runsDir).home(run).manifest();
    return state === 'incomplete' && meantStops.some((reason) => isStoppedBy(reason, stateDetail ?? ''));
  } catch {
    return false;
  }
}

const maxOutputChars = 2000;

/** @param entry the arguments before the command's own */
export const runEvenkeel =
  (entry: readonly string[]): RunProgram =>
  (words, signal) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...entry, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-maxOutputChars);
      });
      // Like Ctrl-C: calls in flight finish, and the run can be resumed.
      signal.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
      child
        .once('error', reject)
        .once('close', (code, by) => resolve({ status: code ?? 1, said: by === null ? said : `${said} (${by})` }));
    });
