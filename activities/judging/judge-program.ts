/**
 * Finds the verdict on one program and suite: in the run's ledger, in the cache of earlier runs,
 * or by running the program.
 */
import type { Suite, Task } from '../../schemas/task.ts';
import type { ExecutionCache } from './execution-cache.ts';
import { executionKey, limitsFor, limitsRule, programSha256, referenceKey } from './execution-key.ts';
import { drivenFact, drivenLimitsRule } from './driver-program.ts';
import { type Judged, runAndJudge } from './judge-lane.ts';
import { ruledOutcome } from './missing-package.ts';
import type { Run } from '../runs/opened/run.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { VerdictRecord } from '../storage/ledger/records.ts';
import { referenceMs, slowReferenceMs } from './reference-times.ts';
import { createSlowShare, type SlowShare } from './slow-share.ts';
import { expectedOutputs } from './suite-cases.ts';
import { refuseOtherSandbox } from './planned-sandbox.ts';

/** The parts of a run that judging needs. */
export interface JudgingRun {
  readonly uuid: string;
  readonly sandbox: Run['sandbox'];
  readonly ledger: Pick<Run['ledger'], 'verdict' | 'saveVerdict' | 'reference' | 'saveFact'>;
}

export type JudgeProgram = (
  run: JudgingRun,
  task: Task,
  suite: Suite,
  code: string,
  signal: AbortSignal,
) => Promise<VerdictRecord>;

/** @param slots highest number of programs that run at the same time in this process */
export function createJudgeProgram(
  sandbox: () => Promise<Sandbox>,
  cache: ExecutionCache,
  slots: number,
): JudgeProgram {
  const share = createSlowShare(slots);
  /** Programs being judged right now, by execution key, so that equal ones run once. */
  const inFlight = new Map<string, Promise<VerdictRecord>>();

  return async (run, task, suite, code, signal) => {
    const key = executionKey(run.sandbox, task, suite, code);
    const known = await run.ledger.verdict(key);
    if (known) return known;
    const shared = `${run.uuid}/${key}`;
    const running =
      inFlight.get(shared) ?? establish(run, key, task, suite, code, signal).finally(() => inFlight.delete(shared));
    inFlight.set(shared, running);
    return running;
  };

  async function establish(run: JudgingRun, key: string, task: Task, suite: Suite, code: string, signal: AbortSignal) {
    // Driver runs include times and races, which must not come from an earlier run.
    const earlier = suite.driver === undefined ? cache.get(key) : undefined;
    if (earlier) return run.ledger.saveVerdict(earlier);
    const { driven, ...verdict } = await execute(run, share, await sandbox(), key, task, suite, code, signal);
    if (driven !== undefined) await run.ledger.saveFact(drivenFact(key), JSON.stringify(driven));
    const saved = await run.ledger.saveVerdict(verdict);
    if (suite.driver === undefined) cache.put(saved);
    return saved;
  }
}

async function execute(
  run: JudgingRun,
  share: SlowShare,
  box: Sandbox,
  key: string,
  task: Task,
  suite: Suite,
  code: string,
  signal: AbortSignal,
): Promise<VerdictRecord & Pick<Judged, 'driven'>> {
  const reference = await run.ledger.reference(referenceKey(run.sandbox, task, suite));
  if (!reference)
    throw new Error(`${task.taskId} has no reference record for suite ${suite.name}; prepare did not run`);
  refuseOtherSandbox(run.sandbox, box);
  const limits = limitsFor(reference, suite);
  const goesFirst = suite.driver === undefined && referenceMs(reference) >= slowReferenceMs;
  const toJudge = { box, task, suite, source: code, limits, signal, goesFirst };
  const judge = (): Promise<Judged> => runAndJudge(toJudge, expectedOutputs(suite, reference));
  // Programs with a driver are all slow, and the sandbox queues them separately.
  const judged = suite.driver === undefined ? share.run(goesFirst, judge) : judge();
  const { run: result, verdict, lane, driven } = await judged;
  return {
    executionKey: key,
    programSha256: programSha256(code),
    suite: suite.name,
    outcome: ruledOutcome(verdict.outcome, suite, result.end),
    firstFailingCase: verdict.firstFailingCase,
    detail: verdict.detail,
    wallMs: result.wallMs,
    cpuMs: result.cpuMs,
    memoryBytes: result.memoryBytes,
    tier: box.tier,
    lane,
    engine: box.engine,
    imageDigest: box.imageDigest,
    limits: suite.driver === undefined ? limitsRule(suite) : drivenLimitsRule(suite.driver),
    ...(driven === undefined ? {} : { driven }),
  };
}
