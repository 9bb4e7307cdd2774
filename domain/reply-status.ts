/** What a reply is, apart from whether its code is right. */
import type { ChatReply } from '../schemas/chat.ts';
import type { ReplyStatus } from '../schemas/states.ts';

/** The endpoint's own word on refusals and filters first; then a blank text is `empty` whatever ended it, and `length` is `truncated`. */
export function replyStatusOf(reply: Pick<ChatReply, 'text' | 'finishReason' | 'notAsked'>): ReplyStatus {
  if (reply.notAsked === true) return 'not_asked';
  if (reply.finishReason === 'refusal' || reply.finishReason === 'content_filter') return reply.finishReason;
  if (reply.finishReason === 'prompt_too_long' || reply.finishReason === 'reply_too_long') return reply.finishReason;
  if (reply.text.trim() === '') return 'empty';
  return reply.finishReason === 'length' ? 'truncated' : 'ok';
}
