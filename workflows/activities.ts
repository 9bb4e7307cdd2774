/**
 * The activities as workflows see them: types only, and one proxy per kind of work,
 * each with its own queue and timeouts.
 */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type {
  ExecuteInput,
  Executed,
  GenerateInput,
  Generated,
  LanesInput,
  NextLanes,
  NextPages,
  NextPagesInput,
  OpenVariants,
  PageRef,
  RunRef,
  SweepPlan,
  SweepReport,
  TendInput,
} from '../schemas/steps.ts';
import type { CalledSteps } from '../studies/page-steps.ts';
import type { ListedPlan } from './listed/plan.ts';

export interface LlmActivities {
  generate(input: GenerateInput): Promise<Generated>;
  /** Makes, follows and collects the run's batches; ends only when it is closing and none is open. */
  tendBatches(input: TendInput): Promise<void>;
}

export interface SandboxActivities {
  prepare(input: { run: RunRef; benchmark: string; start: number; end: number }): Promise<void>;
  execute(input: ExecuteInput): Promise<Executed>;
  measure(page: PageRef): Promise<void>;
  time(page: PageRef): Promise<void>;
}

export interface IoActivities {
  openSweep(run: RunRef): Promise<SweepPlan | ListedPlan>;
  /** Lanes with open pages, after the one of model `after`, in the order of the spec. */
  nextLanes(input: LanesInput & { limit: number }): Promise<NextLanes>;
  /** Open pages of a lane, after page `after`, in the order of the plan. */
  nextPages(input: NextPagesInput): Promise<NextPages>;
  settleVariants(page: PageRef): Promise<OpenVariants>;
  failPage(input: PageRef & { reason: string }): Promise<void>;
  finishSweep(input: { run: RunRef; report: SweepReport }): Promise<void>;
  /** Of a detached sweep: the run is incomplete for this reason, and has no owner any more. */
  giveUpSweep(input: { run: RunRef; reason: string }): Promise<void>;
}

export interface SealActivities {
  sealPage(page: PageRef): Promise<void>;
}

/** Task queue of a role: the workflow's own queue is `<deployment>-workflow`. */
const queue = (role: 'llm' | 'sandbox' | 'io' | 'seal'): string => workflowInfo().taskQueue.replace(/workflow$/, role);

/**
 * Queue of the sandbox that this run was planned for; its mark is in the memo.
 * Sweeps started before marks existed have none.
 */
function sandboxQueue(): string {
  const mark = workflowInfo().memo?.['sandbox'];
  return typeof mark === 'string' ? `${queue('sandbox')}-${mark}` : queue('sandbox');
}

/**
 * How long the step of a killed worker waits before another worker takes it.
 * From the deployment's memo; 20 s on one machine.
 */
const heartbeatTimeout = (): number => Number(workflowInfo().memo?.['heartbeatTimeoutMs'] ?? 20_000);

/**
 * No limit on attempts here: killed workers must not use up a step's attempts. activities/attempts.ts limits
 * unclassified errors.
 */
const retry = { initialInterval: 500, maximumInterval: 30_000 };

export const llm = (): LlmActivities =>
  proxyActivities<LlmActivities>({
    taskQueue: queue('llm'),
    startToCloseTimeout: '12 hours',
    heartbeatTimeout: heartbeatTimeout(),
    retry,
  });

/** For what a run does at its end: an endpoint may take long to cancel a batch, and then is not waited for. */
export const closingLlm = (): Pick<LlmActivities, 'tendBatches'> =>
  proxyActivities<LlmActivities>({
    taskQueue: queue('llm'),
    startToCloseTimeout: '2 minutes',
    scheduleToCloseTimeout: '2 minutes',
    heartbeatTimeout: heartbeatTimeout(),
    retry,
  });

export const sandbox = (): SandboxActivities =>
  proxyActivities<SandboxActivities>({
    taskQueue: sandboxQueue(),
    startToCloseTimeout: '6 hours',
    heartbeatTimeout: heartbeatTimeout(),
    retry,
  });

const ioOptions = () =>
  ({ taskQueue: queue('io'), startToCloseTimeout: '1 hour', heartbeatTimeout: heartbeatTimeout(), retry }) as const;

export const io = (): IoActivities => proxyActivities<IoActivities>(ioOptions());

/** The page steps that a study defines. */
export const pageSteps = <Steps extends object>() => proxyActivities<CalledSteps<Steps>>(ioOptions());

export const seal = (): SealActivities =>
  proxyActivities<SealActivities>({
    taskQueue: queue('seal'),
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: heartbeatTimeout(),
    retry,
  });
