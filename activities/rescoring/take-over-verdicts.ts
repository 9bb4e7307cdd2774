/** Copies into a rescored run what stays valid of the run that the replies come from, so that it need not run again. */
import type { Suite, Task } from '../../schemas/task.ts';
import { pagesOf } from '../../studies/plan.ts';
import { drivenFact } from '../judging/driver-program.ts';
import { executionKey, limitsRule, referenceKey, type SandboxIdentity } from '../judging/execution-key.ts';
import { pagePrograms, qualityFact, timedSuite, timingFact } from '../judging/page-programs.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { cellsWith } from '../pages/page-cells.ts';
import { variantFact } from '../pages/variants.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { type Changes, holdsUnder, isSameSuite, type RescoredTasks } from './rescored-tasks.ts';
import type { Run, RunPage } from '../runs/opened/run.ts';

interface TakingOver {
  readonly run: Run;
  /** Of the new run. */
  readonly ledger: Ledger;
  readonly sandbox: SandboxIdentity;
  readonly extraction: Changes['extraction'];
  /** A task as the new run has it. */
  readonly taskNow: (task: Task) => Task;
}

/**
 * Prompt variants, references, verdicts, measures. Equal calls change nothing more.
 * Returns the number of verdicts.
 */
export async function takeOverVerdicts(
  run: Run,
  ledger: Ledger,
  { extraction }: Changes,
  rescored: RescoredTasks,
  sandbox: SandboxIdentity,
): Promise<number> {
  const taking: TakingOver = { run, ledger, sandbox, extraction, taskNow: taskNowOf(run, rescored) };
  for (const benchmark of Object.keys(run.spec.benchmarks)) await takeOverReferences(taking, benchmark);
  for (const study of run.spec.studies)
    for (const task of run.tasks(study.benchmark).values())
      await takeOverFact(taking, variantFact(study, task), variantFact(study, taking.taskNow(task)));
  let taken = 0;
  for (const { page } of pagesOf(run.revisions)) taken += await takeOverPage(taking, run.page(page.page));
  return taken;
}

function taskNowOf(run: Run, { tasks }: RescoredTasks): (task: Task) => Task {
  const now = new Map<string, Task>();
  for (const [benchmark, fresh] of tasks) {
    const old = run.tasks(benchmark);
    for (const task of fresh) now.set(old.get(task.taskId)?.recordSha256 ?? '', task);
  }
  return (task) => now.get(task.recordSha256) ?? task;
}

/** The suite in the new run; undefined if that has other tests of that name, or none. */
const suiteNow = (now: Task, old: Suite): Suite | undefined =>
  now.suites.find((suite) => suite.name === old.name && isSameSuite(suite, old));

async function takeOverReferences({ run, ledger, sandbox, taskNow }: TakingOver, benchmark: string): Promise<void> {
  for (const task of run.tasks(benchmark).values()) {
    const now = taskNow(task);
    for (const old of task.suites) {
      const suite = suiteNow(now, old);
      const reference = await run.ledger.reference(referenceKey(sandbox, task, old));
      if (suite === undefined || reference === undefined) continue;
      await ledger.saveReference({ ...reference, key: referenceKey(sandbox, now, suite) });
    }
  }
}

async function takeOverPage(taking: TakingOver, page: RunPage): Promise<number> {
  const { extraction, taskNow, sandbox } = taking;
  const rescored: RunPage = extraction === null ? page : { ...page, study: { ...page.study, extraction } };
  const samples = await page.run.ledger.samples(page.page);
  const cells = await cellsWith(rescored, samples);
  let taken = 0;
  for (const { key } of samples) taken += await takeOverSample(taking, cells[key.cell] as PageCell, key);
  for (const program of pagePrograms(rescored, cells)) {
    await takeOverFact(taking, qualityFact(program));
    const old = timedSuite(rescored, program);
    const now = taskNow(program.cell.task);
    const suite = old && suiteNow(now, old);
    if (old === undefined || suite === undefined) continue;
    const timed = `timing/${executionKey(sandbox, now, suite, program.source)}`;
    await takeOverFact(taking, timingFact(rescored, program, old), timed);
  }
  return taken;
}

async function takeOverSample(
  taking: TakingOver,
  cell: PageCell,
  at: Parameters<PageCell['taskAt']>[0],
): Promise<number> {
  const code = cell.extracted(at)?.code ?? null;
  if (code === null) return 0;
  const task = cell.taskAt(at);
  let taken = 0;
  for (const suite of task.suites) if (await takeOverVerdict(taking, task, suite, code)) taken += 1;
  return taken;
}

/** Whether a verdict was copied. */
async function takeOverVerdict(taking: TakingOver, task: Task, old: Suite, code: string): Promise<boolean> {
  const { run, ledger, sandbox, taskNow } = taking;
  const now = taskNow(task);
  const suite = suiteNow(now, old);
  const oldKey = executionKey(sandbox, task, old, code);
  const verdict = await run.ledger.verdict(oldKey);
  if (suite === undefined || verdict === undefined || !holdsUnder(verdict, old, suite)) return false;
  const key = executionKey(sandbox, now, suite, code);
  if ((await ledger.verdict(key)) !== undefined) return false;
  await takeOverFact(taking, drivenFact(oldKey), drivenFact(key));
  const limits = suite.driver === undefined ? limitsRule(suite) : verdict.limits;
  await ledger.saveVerdict({ ...verdict, executionKey: key, limits });
  return true;
}

async function takeOverFact({ run, ledger }: TakingOver, name: string, newName = name): Promise<void> {
  const json = await run.ledger.fact(name);
  if (json !== undefined) await ledger.saveFact(newName, json);
}
