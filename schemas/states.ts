/**
 * Closed lists of states, used in tables and between the parts of the program.
 * A value outside its list never enters a table.
 */

/** What kind of reply came, whether or not its code is right. `not_asked`: none, in a run without calls (`rescore`). */
export const replyStatuses = [
  'ok',
  'refusal',
  'empty',
  'truncated',
  'content_filter',
  'not_asked',
  'prompt_too_long',
  'reply_too_long',
] as const;
export type ReplyStatus = (typeof replyStatuses)[number];

/** No reply because the task's prompt or its answer is too long. Such tasks are excluded from rates and counted. */
export const excludedReplies: ReadonlySet<ReplyStatus> = new Set(['prompt_too_long', 'reply_too_long']);

/**
 * Outcome of one program on one suite. Those in `excludedOutcomes` come from evenkeel's limits,
 * never from a model's failure.
 */
export const outcomes = [
  'pass',
  'wrong_output',
  'exception',
  'syntax_error',
  'compile_error',
  'no_code',
  'early_exit',
  'cpu_timeout',
  'wall_timeout',
  'build_timeout',
  'memory',
  'output_limit',
  'killed',
  'flaky',
  'unencodable',
  'missing_dependency',
  'not_run',
] as const;
export type Outcome = (typeof outcomes)[number];

/** Excluded from rates and counted separately, because they say nothing about the model. */
export const excludedOutcomes: ReadonlySet<Outcome> = new Set(['unencodable', 'missing_dependency', 'not_run']);

/** Failures of programs that a limit of time, memory or output stopped before their answers were known. */
export const stoppedOutcomes: ReadonlySet<Outcome> = new Set([
  'cpu_timeout',
  'wall_timeout',
  'build_timeout',
  'memory',
  'output_limit',
]);

/** Kinds of question that a study asks a model. */
export const stepNames = [
  'draft',
  'generate',
  'summarize',
  'judge',
  'translate',
  'rewrite',
  'improve',
  'write',
  'label',
] as const;
export type StepName = (typeof stepNames)[number];

/**
 * Why EVALOOP stopped a task: it survived all loops, its code failed, an answer held no code or no summary, a limit of
 * evenkeel excluded it, or its next question was never asked.
 */
export const loopEndings = ['survived', 'code_failed', 'no_code', 'no_summary', 'excluded', 'not_asked'] as const;
export type LoopEnding = (typeof loopEndings)[number];

/**
 * How a translation chain ended: all steps passed, a translation failed or held no code, or the chain is not counted
 * (`excluded`: a limit of evenkeel; `start_failed`: the reference it starts from fails its own tests).
 */
export const chainEndings = ['survived', 'code_failed', 'no_code', 'excluded', 'start_failed'] as const;
export type ChainEnding = (typeof chainEndings)[number];

/** Result of one HTTP attempt: answered, failed at the provider, or lost (a crash between sending and storing). */
export const callStatuses = ['answered', 'failed', 'lost'] as const;
export type CallStatus = (typeof callStatuses)[number];

/** Basis of a call's cost: usage `reported` by the provider, `estimated` by evenkeel, or `free` (simulated, replay). */
export const costBases = ['reported', 'estimated', 'free'] as const;
export type CostBasis = (typeof costBases)[number];

/** Why a run, or one of its models, makes no further calls. */
export const stopReasons = ['paused', 'cancelled', 'budget', 'model_stopped', 'fenced'] as const;
export type StopReason = (typeof stopReasons)[number];

/**
 * Whether this is among the reasons that the detail of an incomplete run's state begins with, such as `model_stopped,
 * budget: 2 pages stopped, 0 failed`.
 */
export const isStoppedBy = (reason: StopReason, detail: string): boolean =>
  (detail.split(':')[0] ?? '').split(', ').includes(reason);

/** How the detail of a run's state begins if its command ended and nobody had asked for a stop. */
export const interruption = 'interrupted';

/** Sandbox tiers, strongest first. */
export const sandboxTiers = ['container', 'bubblewrap', 'embedded', 'none'] as const;
export type SandboxTier = (typeof sandboxTiers)[number];
