/** A watch's two steps, as commands of this program: what a person or cron would type. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { gateExitStatus } from '../../domain/gate/evaluate.ts';
import { watchOrder, type WatchStep, type WatchVerdict } from '../../schemas/watch.ts';
import type { WatchActivities } from '../../workflows/watch.ts';

/** Runs the program with these words and gives back its exit status and the end of what it wrote. */
export type RunProgram = (words: readonly string[], signal: AbortSignal) => Promise<{ readonly status: number; readonly said: string }>;

const badInput = 2;
const beatMs = 10_000;

/** @param specsDir the folder that specs and policies are taken from: an order comes from whoever may write to the server */
export function createWatchSteps(runsDir: string, specsDir: string, program: RunProgram): WatchActivities {
  return { carryOutRun, judgeRun };

  async function carryOutRun(step: WatchStep): Promise<void> {
    checkStep(step, specsDir);
    const { status, said } = await beating(['run', step.spec, '--run', step.run, '--runs-dir', runsDir]);
    if (status !== 0) throw failureOf('run', status, said);
  }

  async function judgeRun(step: WatchStep): Promise<WatchVerdict> {
    checkStep(step, specsDir);
    const [run, markdown, junit] = [step.run, join(runsDir, step.run, 'gate.md'), join(runsDir, step.run, 'gate.xml')];
    const words = ['gate', run, '--against', step.against, '--policy', step.policy, '--markdown', markdown, '--junit', junit];
    const { status, said } = await beating([...words, '--runs-dir', runsDir]);
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

/** What comes from the server is not trusted before it is looked at: a spec says which keys are used, and for what. */
function checkStep({ run, ...order }: WatchStep, specsDir: string): void {
  const { name, spec, policy, against } = watchOrder.parse(order);
  for (const id of [run, name, against])
    if (!/^[A-Za-z0-9][A-Za-z0-9._ -]{0,119}$/.test(id))
      throw refusal(`a run's name is letters, digits, dot, underscore, space and hyphen, got "${id}"`);
  for (const file of [spec, policy]) refuseOutside(specsDir, file);
}

/** Links are followed: what lies elsewhere lies elsewhere under any name. */
function refuseOutside(specsDir: string, file: string): void {
  const [folder, path] = [realPath(specsDir), realPath(file)];
  if (path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return;
  throw refusal(
    `${file} is not in ${folder}, where \`schedule serve\` takes specs and policies from; start it with --specs FOLDER to name another`,
  );
}

/** As it stands where there is no such file: whoever opens it says so. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

const refusal = (message: string): ApplicationFailure =>
  ApplicationFailure.create({ message, type: 'evenkeel schedule', nonRetryable: true });

/** A spec that is wrong stays wrong; all else is tried again, and a run that was cut off is taken up. */
function failureOf(verb: string, status: number, said: string): ApplicationFailure {
  const message = `evenkeel ${verb} ended with status ${status}: ${said}`;
  return ApplicationFailure.create({ message, type: `evenkeel ${verb}`, nonRetryable: status === badInput });
}

const mostSaid = 2000;

/** @param entry of this program: the words before its own */
export const runEvenkeel =
  (entry: readonly string[]): RunProgram =>
  (words, signal) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...entry, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-mostSaid);
      });
      // As Ctrl-C does: calls in flight finish, and the run can be taken up.
      signal.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
      child.once('error', reject).once('close', (code, by) => resolve({ status: code ?? 1, said: by === null ? said : `${said} (${by})` }));
    });
