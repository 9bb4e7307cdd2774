/** The activities as workflows see them: types only, one proxy per kind of work, each with its own queue and patience. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type {
  ChainPage,
  EvaloopPage,
  ExecuteInput,
  Executed,
  GenerateInput,
  Generated,
  OpenVariants,
  PageRef,
  PosetPage,
  PromptsePage,
  RobunfrPage,
  RunRef,
  SpecificityPage,
  SweepPlan,
  SweepReport,
} from '../schemas/steps.ts';

export interface LlmActivities {
  generate(input: GenerateInput): Promise<Generated>;
}

export interface SandboxActivities {
  prepare(input: { run: RunRef; benchmark: string; start: number; end: number }): Promise<void>;
  execute(input: ExecuteInput): Promise<Executed>;
  measure(page: PageRef): Promise<void>;
  time(page: PageRef): Promise<void>;
}

export interface IoActivities {
  openSweep(run: RunRef): Promise<SweepPlan>;
  openChainPage(page: PageRef): Promise<ChainPage>;
  openEvaloopPage(page: PageRef): Promise<EvaloopPage>;
  openPromptsePage(page: PageRef): Promise<PromptsePage>;
  openRobunfrPage(page: PageRef): Promise<RobunfrPage>;
  openSpecificityPage(page: PageRef): Promise<SpecificityPage>;
  openPosetPage(page: PageRef): Promise<PosetPage>;
  unsummarized(page: PageRef): Promise<readonly number[]>;
  keepPosets(page: PageRef): Promise<readonly number[]>;
  settleVariants(page: PageRef): Promise<OpenVariants>;
  failPage(input: PageRef & { reason: string }): Promise<void>;
  finishSweep(input: { run: RunRef; report: SweepReport }): Promise<void>;
}

export interface SealActivities {
  sealPage(page: PageRef): Promise<void>;
}

/** Task queue of a role: the workflow's own queue is `<deployment>-workflow`. */
const queue = (role: 'llm' | 'sandbox' | 'io' | 'seal'): string => workflowInfo().taskQueue.replace(/workflow$/, role);

/** Heartbeat timeout: how long a killed worker's step waits before another takes it. Memo of the deployment; 20 s on one machine. */
const heartbeatTimeout = (): number => Number(workflowInfo().memo?.['heartbeatTimeoutMs'] ?? 20_000);

/** No limit here: a killed worker must not use up a step's patience. Unclassified errors are counted in activities/attempts.ts. */
const retry = { initialInterval: 500, maximumInterval: 30_000 };

export const llm = (): LlmActivities =>
  proxyActivities<LlmActivities>({ taskQueue: queue('llm'), startToCloseTimeout: '12 hours', heartbeatTimeout: heartbeatTimeout(), retry });

export const sandbox = (): SandboxActivities =>
  proxyActivities<SandboxActivities>({
    taskQueue: queue('sandbox'),
    startToCloseTimeout: '6 hours',
    heartbeatTimeout: heartbeatTimeout(),
    retry,
  });

export const io = (): IoActivities =>
  proxyActivities<IoActivities>({ taskQueue: queue('io'), startToCloseTimeout: '1 hour', heartbeatTimeout: heartbeatTimeout(), retry });

export const seal = (): SealActivities =>
  proxyActivities<SealActivities>({ taskQueue: queue('seal'), startToCloseTimeout: '1 hour', heartbeatTimeout: heartbeatTimeout(), retry });
