/** `plan`: offline, estimates what a spec would do and cost before any money is spent. */
import { sandboxIdentity } from './run.ts';
import { withExtraction } from '../../activities/runs/extraction-rules.ts';
import { leftOutOf, undecided } from '../../activities/runs/left-out.ts';
import { lackingTier, loadBenchmarks, readInputs, tasksOf } from '../../activities/runs/plan-inputs.ts';
import { findEarlierRun } from '../../activities/estimate/earlier-run.ts';
import { estimatePlan } from '../../activities/estimate/estimate-plan.ts';
import { plannedPages } from '../../activities/estimate/page-groups.ts';
import { reusedAnswers, type ReusePlan } from '../../activities/estimate/reused-answers.ts';
import { checkReusedRuns, openReusedRuns } from '../../activities/runs/reused-runs.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import type { AnsweredStep } from '../../activities/storage/ledger/ledger-counts.ts';
import { keptBudget } from '../../activities/runs/extend-run.ts';
import { unsetVariables } from '../../activities/runs/spec-faults.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { knownTimes } from '../reference-times.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { checkedRunId } from '../../activities/storage/catalog/run-id.ts';
import { readSpecFile } from '../spec-file.ts';
import { planText } from '../output/plan-text.ts';
import { powerDocument, powerText } from '../output/power-text.ts';
import { plain, type Terminal } from '../output/terminal.ts';
import { plannedPower, type PlannedPowerOptions } from '../planned-power.ts';

export interface PlanOptions extends Omit<PlannedPowerOptions, 'detect'> {
  readonly run?: string;
  readonly all?: boolean;
  readonly detect?: string;
}

export async function plan(specPath: string, options: PlanOptions, terminal: Terminal): Promise<ExitStatus> {
  const file = await readSpecFile(specPath);
  const benchmarks = await loadBenchmarks(file);
  await readInputs(file, benchmarks);
  const runId = checkedRunId(options.run ?? file.spec.name);
  await checkReusedRuns(options.runsDir, runId, file);
  const home = runCatalog(options.runsDir).home(runId);
  const earlier = await findEarlierRun({ ...file, runsDir: options.runsDir, runId }, benchmarks);
  const sandbox = await sandboxIdentity();
  const tasks = tasksOf(benchmarks);
  const timesOf = knownTimes(sandbox);
  const times = await timesOf([...tasks.values()].flat());
  const leftOut = await leftOutOf(file.spec, tasks, earlier === null ? undecided : earlier, timesOf);
  const { spec } = file;
  const pages = plannedPages(spec, tasks, earlier, leftOut);
  const known = earlier === null ? null : (await runCatalog(options.runsDir).find(runId)).manifest;
  const asked = withExtraction(known === null ? spec : keptBudget(spec, known), known?.spec ?? null);
  const reused = await takenOver({ runsDir: options.runsDir, home, spec: asked, pages, tasks });
  const counted = estimatePlan({ spec: asked, benchmarks, earlier, tier: sandbox.tier, times, leftOut, reused });
  const lack = lackingTier(sandbox.tier, benchmarks);
  const estimate = {
    ...counted,
    headlines: [...(lack === null ? [] : [`\`run\` is refused on this machine: ${lack.rule}`]), ...counted.headlines],
    warnings: [...counted.warnings, ...unsetVariables(file.spec, process.env)],
  };
  const { detect } = options;
  const powers =
    detect === undefined ? [] : await plannedPower({ spec: file.spec, runId, tasks, leftOut }, { ...options, detect });
  terminal.document({
    ...estimate,
    sandbox: { tier: sandbox.tier, engine: sandbox.engine },
    ...(detect === undefined
      ? {}
      : { detect: powers.map(({ study, answer }) => ({ study, ...powerDocument(answer) })) }),
  });
  const below = [
    ...powers.map(({ study, answer }) => `${plain(study)}: ${powerText(answer)}`),
    `sandbox  ${sandbox.tier}: ${sandbox.engine}`,
    earlier !== null
      ? `run      exists in ${home.place}; \`run\` resumes or extends it`
      : `run      would be created in ${home.place}`,
  ].join('\n');
  terminal.out(planText(estimate, { all: options.all === true, below: below.split('\n').length }));
  terminal.out(below);
  return exitStatus.done;
}

interface TakenOver extends Omit<ReusePlan, 'find'> {
  readonly runsDir: string;
  readonly home: RunHome;
}

/** Answers of the runs in `reuse` to questions that the run has not asked yet. */
async function takenOver({ runsDir, home, ...plan }: TakenOver): Promise<AnsweredStep[]> {
  if (plan.spec.reuse.length === 0) return [];
  const own = home.openReplies();
  const others = openReusedRuns(runsDir, plan.spec);
  try {
    const find = async (callKey: string) =>
      (await own.reply(callKey)) === undefined ? (await others.find(callKey))?.reply : undefined;
    return await reusedAnswers({ ...plan, find });
  } finally {
    own.close();
    others.close();
  }
}
