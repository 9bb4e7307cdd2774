/**
 * The closed lists of states that appear in tables and between the parts of the program.
 * A value that is not in its list never enters a table.
 */

/** What a model's reply is, apart from whether its code is right. `not_asked`: there is none, in a run that makes no call (`rescore`). */
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

/** Replies that never came to be, for a reason that lies in the task's own prompt or answer: the task is excluded, with its count. */
export const excludedReplies: ReadonlySet<ReplyStatus> = new Set(['prompt_too_long', 'reply_too_long']);

/** What became of one program on one suite. The last three of the list are limits of ours, never a model's failure. */
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

/** Outcomes that are excluded from rates, with their count, because they say nothing about the model. */
export const excludedOutcomes: ReadonlySet<Outcome> = new Set(['unencodable', 'missing_dependency', 'not_run']);

/** The kinds of question that a study asks a model. */
export const stepNames = ['draft', 'generate', 'summarize', 'judge', 'translate', 'rewrite', 'improve', 'write', 'label'] as const;
export type StepName = (typeof stepNames)[number];

/** Why EVALOOP stopped a task: it survived all loops, its code failed, no summary came back, or its next answer was never asked for. */
export const loopEndings = ['survived', 'code_failed', 'no_code', 'no_summary', 'excluded', 'not_asked'] as const;
export type LoopEnding = (typeof loopEndings)[number];

/** What became of a translation chain: all steps passed, a translation failed or held no code, or it is not counted (a limit of ours; no start). */
export const chainEndings = ['survived', 'code_failed', 'no_code', 'excluded', 'start_failed'] as const;
export type ChainEnding = (typeof chainEndings)[number];

/** What one HTTP attempt came to: answered, failed at the provider, or lost (a crash between sending and storing). */
export const callStatuses = ['answered', 'failed', 'lost'] as const;
export type CallStatus = (typeof callStatuses)[number];

/** How the cost of a call is known: `reported` by the provider's usage, `estimated` by us, `free` (simulated, replay). */
export const costBases = ['reported', 'estimated', 'free'] as const;
export type CostBasis = (typeof costBases)[number];

/** Why a run, or one model of it, takes no further calls. */
export const stopReasons = ['paused', 'cancelled', 'budget', 'model_stopped', 'fenced'] as const;
export type StopReason = (typeof stopReasons)[number];

/** Sandbox tiers, strongest first. */
export const sandboxTiers = ['container', 'bubblewrap', 'embedded', 'none'] as const;
export type SandboxTier = (typeof sandboxTiers)[number];
