/** All activities by role, as factories over their dependencies: a worker registers the roles that it serves. */
import { createAccounts } from './accounts.ts';
import { limitUnclassified } from './attempts.ts';
import { createExecute, createProgramRunner } from './execute.ts';
import { openExecutionCache } from './execution-cache.ts';
import { createGenerate } from './generate.ts';
import { createHandover } from './handover.ts';
import type { Heartbeat } from './heartbeat.ts';
import { createPrepare } from './prepare.ts';
import { createMeasure } from './measure.ts';
import { createFailPage, createSeal } from './record.ts';
import { createReferenceCache } from './reference-cache.ts';
import { createRuns, type Runs } from './runs.ts';
import type { RunRef } from '../schemas/steps.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import { openIdleWorkers } from './storage/idle-workers.ts';
import { createSettleVariants } from './settle-variants.ts';
import { createStudyPages } from './study-pages.ts';
import { createSweep } from './sweep.ts';

export interface ActivityDependencies {
  readonly runsDir: string;
  /** File of the account limits that all processes of this user share; null keeps them in this process. */
  readonly accountFile: string | null;
  /** Folder for what references came to on this machine; null keeps nothing. */
  readonly referenceCache: string | null;
  /** File of verdicts that later runs on this machine may use; null keeps nothing. */
  readonly executionCache: string | null;
  /** Takes lines for a person. */
  readonly onLine?: (line: string) => void;
  readonly heartbeat: Heartbeat;
  /** Whether models are asked here. */
  readonly servesCalls: boolean;
  /** Whether programs are run here, also those that this process asked for. */
  readonly servesPrograms: boolean;
  /** Programs that the sandbox runs at the same time. */
  readonly sandboxProcesses: number;
  /** Opened by the first program. */
  readonly sandbox: () => Promise<Sandbox>;
  /** Aborted once this worker takes no new calls. Calls in flight are finished, since they are paid for; programs are ended, since they cost nothing. */
  readonly drain: AbortSignal;
}

export function createActivities(dependencies: ActivityDependencies) {
  const { runsDir, accountFile, referenceCache, heartbeat, servesCalls, servesPrograms, sandbox, drain } = dependencies;
  const accounts = createAccounts(accountFile);
  const runs = createRuns({ runsDir, accounts });
  const references = createReferenceCache(referenceCache);
  const cache = openExecutionCache(dependencies.executionCache, dependencies.onLine);
  const handover = createHandover(servesCalls ? openIdleWorkers(runsDir) : null);
  drain.addEventListener('abort', handover.end, { once: true });
  const runPrograms = createProgramRunner({ sandbox, cache, slots: dependencies.sandboxProcesses, drain });
  return {
    llm: patient(runs, {
      generate: createGenerate({ runs, heartbeat, drain, handover, runPrograms: servesPrograms ? runPrograms : null }),
    }),
    sandbox: patient(runs, {
      prepare: createPrepare({ runs, heartbeat, sandbox, references, drain }),
      execute: createExecute({ runs, heartbeat, runPrograms }),
      ...createMeasure({ runs, heartbeat, sandbox, drain }),
    }),
    io: patient(runs, {
      ...createFailPage(runs),
      ...createStudyPages({ runs, heartbeat, cache: references }),
      settleVariants: createSettleVariants({ runs, heartbeat, cache: references }),
      ...createSweep({ runs, heartbeat }),
    }),
    seal: patient(runs, createSeal({ runs, heartbeat })),
    /** The process's workers take steps from now on. */
    begin: handover.begin,
    isGiving: handover.isGiving,
    close: () => runs.close().finally(accounts.close).finally(cache.close),
  };
}

/** What every activity takes: the run, or something of it. */
type Input = RunRef | { readonly run: RunRef };
type Activities = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** Every activity of a role, each with its run held open and its patience for unclassified errors. */
function patient<A extends Activities>(runs: Runs, activities: A): A {
  const entries = Object.entries(activities).map(([name, activity]) => {
    const work = activity as (input: Input) => Promise<unknown>;
    return [name, limitUnclassified(name, (input: Input) => runs.during('run' in input ? input.run : input, () => work(input)))];
  });
  return Object.fromEntries(entries) as A;
}
