/** `plan`: offline, what a spec would do and cost, before any money is spent. */
import { join } from 'node:path';
import { sandboxIdentity } from './run.ts';
import { leftOutOf, undecided } from '../../activities/left-out.ts';
import { loadBenchmarks, readInputs, tasksOf } from '../../activities/plan-inputs.ts';
import { findEarlierRun } from '../../activities/estimate/earlier-run.ts';
import { estimatePlan } from '../../activities/estimate-plan.ts';
import { unsetVariables } from '../../activities/spec-faults.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { knownTimes } from '../reference-times.ts';
import { checkedRunId } from '../run-folders.ts';
import { readSpecFile } from '../spec-file.ts';
import { planText } from '../plan-text.ts';
import type { Terminal } from '../terminal.ts';

export async function plan(
  specPath: string,
  options: { run?: string; runsDir: string; all?: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  const file = await readSpecFile(specPath);
  const benchmarks = await loadBenchmarks(file);
  await readInputs(file, benchmarks);
  const runId = checkedRunId(options.run ?? file.spec.name);
  const folder = join(options.runsDir, runId);
  const earlier = await findEarlierRun({ ...file, runsDir: options.runsDir, runId }, benchmarks);
  const sandbox = await sandboxIdentity();
  const tasks = tasksOf(benchmarks);
  const timesOf = knownTimes(sandbox);
  const times = await timesOf([...tasks.values()].flat());
  const leftOut = await leftOutOf(file.spec, tasks, earlier === null ? undecided : earlier, timesOf);
  const counted = estimatePlan({ spec: file.spec, benchmarks, earlier, tier: sandbox.tier, times, leftOut });
  const estimate = { ...counted, warnings: [...counted.warnings, ...unsetVariables(file.spec, process.env)] };
  terminal.document({ ...estimate, sandbox: { tier: sandbox.tier, engine: sandbox.engine } });
  terminal.out(planText(estimate, options.all));
  terminal.out(`sandbox  ${sandbox.tier}: ${sandbox.engine}`);
  terminal.out(
    earlier !== null ? `run      exists in ${folder}; \`run\` takes it up or extends it` : `run      would be made in ${folder}`,
  );
  return exitStatus.done;
}
