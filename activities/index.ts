/** All activities by role, built from their dependencies; a worker registers the roles that it serves. */
import { createTendBatches } from './batches/tend.ts';
import type { AccountStore } from './calls/accounts/account-store.ts';
import { createAccounts } from './calls/accounts/accounts.ts';
import { limitUnclassified } from './attempts.ts';
import { createDiskWait } from './disk-wait.ts';
import { createExecute, createProgramRunner, type RunPrograms } from './execute.ts';
import { openExecutionCache } from './judging/execution-cache.ts';
import type { SandboxIdentity } from './judging/execution-key.ts';
import { createGenerate } from './generate.ts';
import { createHandover } from './calls/handover.ts';
import { createKeyCheck } from './calls/run-keys.ts';
import type { Heartbeat } from './heartbeat.ts';
import { createLanes } from './lanes.ts';
import type { Observe } from './observed/events.ts';
import { observedStep } from './observed/observed-step.ts';
import { observedAccounts, observedSandbox } from './observed/observed-queues.ts';
import { createPrepare } from './prepare.ts';
import { createMeasure } from './measure.ts';
import { createFailPage, createSeal, mergedPages } from './record.ts';
import { createReferenceCache } from './judging/reference-cache.ts';
import { createRuns, type Runs } from './runs/runs.ts';
import type { RunRef } from '../schemas/steps.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import { openIdleWorkers } from './storage/idle-workers.ts';
import { createSettleVariants } from './settle-variants.ts';
import { createStudyPages } from './study-pages.ts';
import { createSweep } from './sweep.ts';
import { createWaitingSteps } from './waiting-steps.ts';

export interface ActivityDependencies {
  readonly runsDir: string;
  /** Shared with other processes; null keeps the limits in this process. */
  readonly accountStore: AccountStore | null;
  /** Folder for the results of references on this machine; null stores nothing. */
  readonly referenceCache: string | null;
  /** File of verdicts that later runs on this machine may reuse; null stores nothing. */
  readonly executionCache: string | null;
  /** Takes lines for a person. */
  readonly onLine?: (line: string) => void;
  /** The same in a worker that a person started; undefined in those of a command. */
  readonly sayToPerson?: ((line: string) => void) | undefined;
  /** Told of calls, verdicts and parts; undefined if nobody asked for it. */
  readonly observe?: Observe | undefined;
  readonly heartbeat: Heartbeat;
  /** Whether this process asks models. */
  readonly servesCalls: boolean;
  /** Programs that the sandbox runs at the same time. */
  readonly sandboxProcesses: number;
  /** The sandbox for programs, including those this process asked for; null if this process runs none. */
  readonly sandbox: Sandbox | null;
  /**
   * Aborted once this worker takes no new calls. Calls in flight finish, since they are paid for; programs are killed,
   * since they cost nothing.
   */
  readonly drain: AbortSignal;
}

export function createActivities(dependencies: ActivityDependencies) {
  const { runsDir, accountStore, referenceCache, heartbeat, servesCalls, drain, observe } = dependencies;
  const box = observedSandbox(dependencies.sandbox, observe);
  const sandbox = async (): Promise<Sandbox> => present(box);
  const accounts = observedAccounts(createAccounts(accountStore), observe);
  const runs = createRuns({ runsDir, accounts, observe });
  const references = createReferenceCache(referenceCache);
  const cache = openExecutionCache(dependencies.executionCache, dependencies.onLine);
  const handover = createHandover(servesCalls ? openIdleWorkers(runsDir) : null);
  const waiting = createWaitingSteps(drain);
  drain.addEventListener('abort', handover.end, { once: true });
  const disk = createDiskWait(runsDir);
  const looking = setInterval(disk.look, diskLookMs).unref();
  const wrapped = <A extends Activities>(activities: A): A => wrapActivities(runs, activities, disk, observe);
  const checkKeys = createKeyCheck({ runs, env: process.env, handover, say: dependencies.sayToPerson });
  const runPrograms = createProgramRunner({ sandbox, cache, slots: dependencies.sandboxProcesses, drain });
  return {
    llm: wrapped({
      generate: createGenerate({
        runs,
        heartbeat,
        drain,
        handover,
        waiting,
        checkKeys,
        runPrograms: programsIn(dependencies.sandbox, runPrograms),
      }),
      tendBatches: createTendBatches({ runs, heartbeat, drain, checkKeys }),
    }),
    sandbox: wrapped({
      prepare: createPrepare({ runs, heartbeat, sandbox, references, drain }),
      execute: createExecute({ runs, heartbeat, runPrograms }),
      ...createMeasure({ runs, heartbeat, sandbox, drain }),
    }),
    io: wrapped({
      ...createFailPage(runs),
      ...createStudyPages({ runs, heartbeat, cache: references }),
      settleVariants: createSettleVariants({ runs, heartbeat, cache: references }),
      ...createSweep({ runsDir, runs, heartbeat }),
      ...createLanes({ runs, heartbeat }),
    }),
    seal: wrapped(createSeal({ runs, heartbeat, mergedPages: servesCalls ? null : mergedPages })),
    /** Call when the process's workers start to take steps. */
    begin: handover.begin,
    isHandingOver: handover.isHandingOver,
    stepsWaiting: waiting.count,
    close: async () => {
      clearInterval(looking);
      try {
        await runs.close();
      } finally {
        await accounts.close().finally(cache.close);
      }
    },
  };
}

const diskLookMs = 5_000;

function present(sandbox: Sandbox | null): Sandbox {
  if (sandbox === null) throw new Error('this worker runs no programs');
  return sandbox;
}

const programsIn =
  (sandbox: Sandbox | null, runPrograms: RunPrograms) =>
  ({ imageDigest }: SandboxIdentity): RunPrograms | null =>
    sandbox?.imageDigest === imageDigest ? runPrograms : null;

/** Input of every activity: the run, or an object that names it and perhaps a page. */
type Input = RunRef | { readonly run: RunRef; readonly page?: string };
type Activities = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/**
 * Wraps activities: keeps the run open during each, tells of its end, lets it wait for a full disk, and limits its
 * unclassified errors.
 */
function wrapActivities<A extends Activities>(
  runs: Runs,
  activities: A,
  disk: ReturnType<typeof createDiskWait>,
  observe: Observe | undefined,
): A {
  const entries = Object.entries(activities).map(([name, activity]) => {
    const work = observedStep(name, activity as (input: Input) => Promise<unknown>, observe);
    const step = (input: Input) => runs.during('run' in input ? input.run : input, () => work(input));
    return [name, limitUnclassified(name, disk.wrap(step))];
  });
  return Object.fromEntries(entries) as A;
}
