/** One line of a replay file: a recorded reply, and the coordinates that select it. */
import { z } from 'zod';
import type { CallCoordinates, ChatReply } from '../../schemas/chat.ts';
import { stepNames } from '../../schemas/states.ts';
import { noTokens, recordedReasonOf } from './openai-body.ts';

const index = z.int().min(0);

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
    .regex(/^[0-9a-f]{64}$/, 'request_sha256 is 64 lower-case hex digits')
    .optional(),
  model: z.string().nullable().optional(),
  logprobs: z.array(z.number()).nullable().optional(),
  finish_reason: z.string().nullable().optional(),
  input_tokens: index.nullable().optional(),
  output_tokens: index.nullable().optional(),
  /** True for what a simulated model said: it stays marked as such wherever it is replayed. */
  simulated: z.boolean().optional(),
  /** True where `reply` is what the recording's authors took from the reply: it is judged, or worked on with, as it stands. */
  extracted: z.boolean().optional(),
});

export type ReplayLine = z.infer<typeof replayLineSchema>;

/** The fields that may select a line. */
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

/** The values by which a line, or a call, is found. */
export type SelectorValues = { readonly [Name in Selector]?: string | number | undefined };

/** A call's values: one record under our task id, and one under the source's when it differs. */
export function valuesOfCall(call: CallCoordinates): SelectorValues[] {
  const { study, benchmark, language, step, loop, variant, setting, repetition, ask, sample } = call;
  const values = { study, benchmark, language, step, loop, variant, setting, repetition, ask, sample, request_sha256: call.requestSha256 };
  return [...new Set([call.taskId, call.sourceTaskId])].map((id) => ({ ...values, task_id: id }));
}

/** As a line of the file gives them, in one order. */
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
  reasoningTokens: null,
  logprobs: line.logprobs ?? null,
  ...(line.extracted === true && { extracted: true }),
});

/** Replies that one request asked for: the tokens of them all stand with the first. */
export const withSharedTokens = (replies: readonly ChatReply[]): ChatReply[] =>
  replies.map((reply, index) => ({
    ...reply,
    ...(index > 0 ? noTokens : { inputTokens: sum(replies, 'inputTokens'), outputTokens: sum(replies, 'outputTokens') }),
  }));

/** Null where no line says. */
function sum(replies: readonly ChatReply[], tokens: 'inputTokens' | 'outputTokens'): number | null {
  const known = replies.map((reply) => reply[tokens]).filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
}
