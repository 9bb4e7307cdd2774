/** `run`: from a spec to results. The same spec again attaches or resumes; an addition extends. */
import { join } from 'node:path';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { unmeasured } from '../../activities/estimate/unmeasured.ts';
import { checkAccounts } from '../../activities/probe-spec.ts';
import { leftOutLines } from '../../activities/left-out.ts';
import { isOwned } from '../../activities/storage/ownership.ts';
import { planRun } from '../../activities/plan-run.ts';
import { checkEnvironment } from '../../workers/check-environment.ts';
import { carryOut, endOfFinished } from '../carry-out.ts';
import type { ExitStatus } from '../exit-status.ts';
import { grownText } from '../recordings-text.ts';
import { measuredTimes } from '../reference-times.ts';
import { checkedRunId, runIds } from '../run-folders.ts';
import { readSpecFile } from '../spec-file.ts';
import type { Terminal } from '../terminal.ts';

export async function run(
  specPath: string,
  options: { run?: string; runsDir: string; all?: boolean; probe?: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  const file = await readSpecFile(specPath);
  const runId = checkedRunId(options.run ?? file.spec.name);
  const isNew = !runIds(options.runsDir).includes(runId);
  const probe = async (): Promise<void> => {
    // A run that another process carries out is watched, or gets more to do: its owner has looked.
    if (options.probe !== false && !isOwned(join(options.runsDir, runId))) await checkAccounts({ ...file, path: specPath }, process.env);
  };
  if (isNew) await checkEnvironment(process.env, terminal.note);
  if (isNew) await probe();
  const sandbox = await sandboxIdentity();
  const planned = await planRun({ ...file, runsDir: options.runsDir, runId, sandbox, referenceTimes: measuredTimes(terminal) });
  if (planned.change === 'unchanged' && planned.manifest.state === 'complete') {
    planned.ledger.close();
    terminal.note(`run "${runId}" is finished already; a larger spec would extend it`);
    return endOfFinished({ folder: planned.folder, runsDir: options.runsDir, all: options.all }, terminal);
  }
  // A finished run is shown without a server.
  if (!isNew) await checkEnvironment(process.env, terminal.note);
  if (!isNew)
    await probe().catch((error: unknown) => {
      planned.ledger.close();
      throw error;
    });
  terminal.note(`run "${runId}" ${describeChange[planned.change]} in ${planned.folder}`);
  for (const line of grownText(planned.folder, planned.grown)) terminal.note(line);
  for (const line of leftOutLines(file.spec, planned.manifest.leftOut ?? {})) terminal.note(line);
  terminal.note(`sandbox: ${sandbox.tier}, ${sandbox.engine}`);
  for (const line of unmeasured(file.spec, sandbox.tier)) terminal.note(`note: ${line}`);
  return carryOut({ runsDir: options.runsDir, all: options.all, ...planned }, terminal);
}

const describeChange = { created: 'created', extended: 'extended', unchanged: 'taken up again' } as const;

/** What verdicts of this machine depend on; nothing is started for it. */
export async function sandboxIdentity(): Promise<{ tier: string; engine: string; imageDigest: string }> {
  const { tier, engine, imageDigest, close } = await openSandbox('auto');
  await close();
  return { tier, engine, imageDigest };
}
