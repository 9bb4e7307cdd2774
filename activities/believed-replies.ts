/** What an endpoint says of its answers beside their text, as far as it can be so. */
import { countFault } from '../domain/logprobs.ts';
import type { ChatReply } from '../schemas/chat.ts';
import { type TokenBounds, withBelievedUsage } from './token-usage.ts';

/** @param bounds of the request that brought them all */
export function believedReplies(replies: readonly ChatReply[], bounds: TokenBounds): readonly ChatReply[] {
  const counted = withBelievedUsage(replies, bounds);
  return counted.map((reply) => withBelievedLogprobs(reply, counted.length === 1));
}

/** @param isAlone the tokens that it tells are its own, and not those of other answers too */
function withBelievedLogprobs(reply: ChatReply, isAlone: boolean): ChatReply {
  const { logprobs, text, outputTokens, reasoningTokens, usageReported } = reply;
  if (logprobs === null) return reply;
  const tokens = isAlone && usageReported === undefined ? outputTokens : null;
  const logprobFault = countFault(logprobs.length, { text, tokens, reasoning: reasoningTokens });
  return logprobFault === null ? reply : { ...reply, logprobs: null, logprobFault };
}
