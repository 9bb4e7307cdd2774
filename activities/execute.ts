/** Runs the programs of one step on every suite of their tasks; a program that was judged before is not run again. */
import { excludedOutcomes, type Outcome } from '../schemas/states.ts';
import type { ExecuteInput, Executed } from '../schemas/steps.ts';
import type { Suite, Task } from '../schemas/task.ts';
import type { At } from '../studies/study.ts';
import { openCell, type PageCell } from './cell-states.ts';
import { executionKey, limitsFor, limitsRule, programSha256, referenceKey } from './execution-key.ts';
import { draining, stopped } from './failures.ts';
import type { Heartbeat } from './heartbeat.ts';
import { runAndJudge } from './judge-lane.ts';
import type { Run, RunPage, Runs } from './runs.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import type { VerdictRecord } from './storage/ledger.ts';
import { expectedOutputs } from './suite-cases.ts';

export interface ExecuteDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly sandbox: () => Promise<Sandbox>;
  readonly isDraining: () => boolean;
}

type Fate = 'passed' | 'failed' | 'excluded';

export function createExecute({ runs, heartbeat, sandbox, isDraining }: ExecuteDependencies): (input: ExecuteInput) => Promise<Executed> {
  /** Equal programs that are being judged right now, by execution key. */
  const inFlight = new Map<string, Promise<VerdictRecord>>();

  const judge = async (run: Run, task: Task, suite: Suite, code: string, signal: AbortSignal): Promise<VerdictRecord> => {
    const key = executionKey(run.sandbox, task, suite, code);
    const known = run.ledger.verdict(key);
    if (known) return known;
    const shared = `${run.uuid}/${key}`;
    const running =
      inFlight.get(shared) ?? runProgram(run, await sandbox(), key, task, suite, code, signal).finally(() => inFlight.delete(shared));
    inFlight.set(shared, running);
    return running;
  };

  const outcomesOf = async (page: RunPage, { task }: PageCell, code: string, signal: AbortSignal): Promise<Outcome[]> => {
    checkControl(page, isDraining);
    signal.throwIfAborted();
    const verdicts = await Promise.all(task.suites.map((suite) => judge(page.run, task, suite, code, signal)));
    return verdicts.map(({ outcome }) => outcome);
  };

  const fateOf = async (page: RunPage, cell: PageCell, programs: readonly string[], signal: AbortSignal): Promise<Fate> => {
    const outcomes = await Promise.all(programs.map((code) => outcomesOf(page, cell, code, signal)));
    return fate(outcomes.flat());
  };

  return (input) =>
    heartbeat(async (signal) => {
      const page = await runs.page(input);
      const fates = await Promise.all(
        input.items.map(async ([index, loop]) => {
          const cell = openCell(page, index);
          return fateOf(page, cell, programsOf(page, cell, loop, input), signal);
        }),
      );
      const passed = fates.filter((one) => one === 'passed').length;
      await page.run.ledger.markCellsDone(page.page, page.cells.length - passed);
      const those = (wanted: Fate) => input.items.filter((_, index) => fates[index] === wanted).map(([cell]) => cell);
      return { passed: those('passed'), failed: those('failed'), excluded: those('excluded') };
    });
}

/** A real failure on any suite counts before a limit of ours on another. */
function fate(outcomes: readonly Outcome[]): Fate {
  if (outcomes.every((outcome) => outcome === 'pass')) return 'passed';
  return outcomes.some((outcome) => outcome !== 'pass' && !excludedOutcomes.has(outcome)) ? 'failed' : 'excluded';
}

function checkControl(page: RunPage, isDraining: () => boolean): void {
  if (isDraining()) throw draining();
  page.run.checkOwner();
  const stop = page.run.ledger.stopOf(page.model);
  if (stop) throw stopped(stop.reason, stop.detail);
}

/** The distinct programs of a cell's draws. */
function programsOf(page: RunPage, cell: PageCell, loop: number, { step = 'generate', samples = 1 }: ExecuteInput): string[] {
  const draws = Array.from({ length: samples }, (_, sample) => codeOf(page, cell, { step, loop, ask: 0, sample }));
  const programs = draws.filter((code) => code !== null);
  if (programs.length === 0) throw new Error(`page ${page.page}: ${cell.task.taskId} has no code to run in loop ${loop}`);
  return [...new Set(programs)];
}

function codeOf(page: RunPage, cell: PageCell, at: At): string | null {
  const answer = cell.answer(at);
  return (answer && page.kind.extract(page.study, cell, at, answer)?.code) ?? null;
}

async function runProgram(
  run: Run,
  box: Sandbox,
  key: string,
  task: Task,
  suite: Suite,
  code: string,
  signal: AbortSignal,
): Promise<VerdictRecord> {
  const reference = run.ledger.reference(referenceKey(run.sandbox, task, suite));
  if (!reference) throw new Error(`${task.taskId} has no reference record for suite ${suite.name}; prepare did not run`);
  if (box.imageDigest !== run.sandbox.imageDigest)
    throw new Error(
      `this worker's sandbox is ${box.engine} (${box.imageDigest}), the run was planned for ${run.sandbox.engine} (${run.sandbox.imageDigest})`,
    );
  const limits = limitsFor(reference, suite.inputs.length);
  const toJudge = { box, task, suite, source: code, limits, signal };
  const { run: result, verdict, lane } = await runAndJudge(toJudge, expectedOutputs(suite, reference));
  return run.ledger.saveVerdict({
    executionKey: key,
    programSha256: programSha256(code),
    suite: suite.name,
    outcome: verdict.outcome,
    firstFailingCase: verdict.firstFailingCase,
    detail: verdict.detail,
    wallMs: result.wallMs,
    cpuMs: result.cpuMs,
    memoryBytes: result.memoryBytes,
    tier: box.tier,
    lane,
    engine: box.engine,
    imageDigest: box.imageDigest,
    limits: limitsRule,
  });
}
