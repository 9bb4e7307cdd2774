/** Removes token counts and log-probabilities that are impossible for the answer's text. */
import { countFault } from '../../domain/logprobs.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import { type RequestBounds, withPlausibleUsage } from './token-usage.ts';

/** @param bounds of the request that returned all the replies */
export function plausibleReplies(replies: readonly ChatReply[], bounds: RequestBounds): readonly ChatReply[] {
  const counted = withPlausibleUsage(replies, bounds);
  return counted.map((reply) => withPlausibleLogprobs(reply, counted.length === 1));
}

/** @param isAlone whether the reported token counts cover this answer only */
function withPlausibleLogprobs(reply: ChatReply, isAlone: boolean): ChatReply {
  const { logprobs, text, outputTokens, reasoningTokens, usageReported } = reply;
  if (logprobs === null) return reply;
  const tokens = isAlone && usageReported === undefined ? outputTokens : null;
  const logprobFault = countFault(logprobs.length, { text, tokens, reasoning: reasoningTokens });
  return logprobFault === null ? reply : { ...reply, logprobs: null, logprobFault };
}
