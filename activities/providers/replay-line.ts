/** One line of a replay file: a recorded reply, and the coordinates that select it. */
import { z } from 'zod';
import { validLogprobs } from '../../domain/logprobs.ts';
import type { CallCoordinates, ChatReply } from '../../schemas/chat.ts';
import { stepNames } from '../../schemas/states.ts';
import { noTokens, recordedReasonOf } from './openai-body.ts';

const index = z.int().min(0);

const recordedVerdict = z.strictObject({ by: z.string().min(1), suite: z.string().min(1), passed: z.boolean() });

export const replayLineSchema = z.strictObject({
  reply: z.string(),
  study: z.string().optional(),
  benchmark: z.string().optional(),
  task_id: z.string().optional(),
  language: z.string().optional(),
  step: z.enum(stepNames).optional(),
  loop: index.optional(),
  variant: z.string().optional(),
  setting: z.string().optional(),
  repetition: index.optional(),
  ask: index.optional(),
  sample: index.optional(),
  request_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'request_sha256 must be 64 lower-case hex digits')
    .optional(),
  /** Of the request without white space that says nothing, in the recording of a run that is judged again. */
  plain_sha256: z.string().optional(),
  model: z.string().nullable().optional(),
  logprobs: z.array(z.number()).nullable().optional(),
  /** Why the log-probabilities that came were rejected. */
  logprob_fault: z.string().optional(),
  finish_reason: z.string().nullable().optional(),
  input_tokens: index.nullable().optional(),
  output_tokens: index.nullable().optional(),
  reasoning_tokens: index.nullable().optional(),
  /** The impossible counts that the endpoint reported; the counts above replace them. */
  usage_reported: z.string().optional(),
  /** Who served the reply behind a gateway. */
  backend: z.string().optional(),
  /** Thoughts that came apart from the reply. */
  reasoning: z.string().optional(),
  /** True for a simulated model's reply, which stays marked as simulated wherever it is replayed. */
  simulated: z.boolean().optional(),
  /** True if `reply` is the code or text that the recording's authors extracted; it is judged or used unchanged. */
  extracted: z.boolean().optional(),
  /** What the tool that the answer was imported from found when it judged it. */
  recorded: z.array(recordedVerdict).optional(),
});

export type ReplayLine = z.infer<typeof replayLineSchema>;

/** How every line of a recorder begins. */
export const recordedStart = '{"request_sha256":';

/** The fields that can select a line. */
export const selectors = [
  'study',
  'benchmark',
  'task_id',
  'language',
  'step',
  'loop',
  'variant',
  'setting',
  'repetition',
  'ask',
  'sample',
  'request_sha256',
] as const satisfies readonly (keyof ReplayLine)[];
export type Selector = (typeof selectors)[number];

/** The field values of a line or a call. */
export type SelectorValues = { readonly [Name in Selector]?: string | number | undefined };

/** A call's field values: under evenkeel's task id, and again under the source's id if it differs. */
export function valuesOfCall(call: CallCoordinates): SelectorValues[] {
  const { study, benchmark, language, step, loop, variant, setting, repetition, ask, sample } = call;
  const values = {
    study,
    benchmark,
    language,
    step,
    loop,
    variant,
    setting,
    repetition,
    ask,
    sample,
    request_sha256: call.requestSha256,
  };
  return [...new Set([call.taskId, call.sourceTaskId])].map((id) => ({ ...values, task_id: id }));
}

/** The field values as JSON, in a fixed order. */
export const coordinatesText = (values: SelectorValues): string =>
  JSON.stringify(Object.fromEntries(selectors.map((field) => [field, values[field]])));

/** A line without a finish reason is a finished answer. */
export const replyOfLine = (line: ReplayLine): ChatReply => ({
  text: line.reply,
  finishReason: line.finish_reason == null ? 'stop' : recordedReasonOf(line.finish_reason),
  returnedModel: line.model ?? null,
  fingerprint: null,
  inputTokens: line.input_tokens ?? null,
  cachedTokens: null,
  outputTokens: line.output_tokens ?? null,
  reasoningTokens: line.reasoning_tokens ?? null,
  ...(line.usage_reported !== undefined && { usageReported: line.usage_reported }),
  ...(line.reasoning !== undefined && { reasoning: line.reasoning }),
  ...(line.backend !== undefined && { backend: line.backend }),
  ...validLogprobs(line.logprobs ?? []),
  ...(line.logprob_fault !== undefined && { logprobs: null, logprobFault: line.logprob_fault }),
  ...(line.extracted === true && { extracted: true }),
  ...(line.recorded !== undefined && { recorded: line.recorded }),
});

/** The fields of a line that hold the reply, without those that select it. */
export const lineOfReply = (reply: ChatReply) => ({
  reply: reply.text,
  finish_reason: reply.finishReason,
  model: reply.returnedModel,
  input_tokens: reply.inputTokens,
  output_tokens: reply.outputTokens,
  ...((reply.reasoningTokens ?? 0) > 0 && { reasoning_tokens: reply.reasoningTokens }),
  ...(reply.usageReported !== undefined && { usage_reported: reply.usageReported }),
  ...(reply.backend !== undefined && { backend: reply.backend }),
  ...(reply.reasoning !== undefined && { reasoning: reply.reasoning }),
  ...(reply.logprobs !== null && { logprobs: [...reply.logprobs] }),
  ...(reply.logprobFault !== undefined && { logprob_fault: reply.logprobFault }),
});

/** Replies to one request: the first has the tokens of all. */
export const withSharedTokens = (replies: readonly ChatReply[]): ChatReply[] =>
  replies.map((reply, index) => ({
    ...reply,
    ...(index > 0
      ? noTokens
      : { inputTokens: sum(replies, 'inputTokens'), outputTokens: sum(replies, 'outputTokens') }),
  }));

/** Null if no line has the count. */
function sum(replies: readonly ChatReply[], tokens: 'inputTokens' | 'outputTokens'): number | null {
  const known = replies.map((reply) => reply[tokens]).filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
}
