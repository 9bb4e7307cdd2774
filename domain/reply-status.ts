/** Classifies a reply, whether or not its code is right. */
import type { ChatReply } from '../schemas/chat.ts';
import type { ReplyStatus } from '../schemas/states.ts';

/**
 * The endpoint's report of a refusal or filter comes first; then a blank text is `empty` whatever ended it, and the
 * finish reason `length` means `truncated`.
 */
export function replyStatusOf(reply: Pick<ChatReply, 'text' | 'finishReason' | 'notAsked'>): ReplyStatus {
  if (reply.notAsked === true) return 'not_asked';
  if (reply.finishReason === 'refusal' || reply.finishReason === 'content_filter') return reply.finishReason;
  if (reply.finishReason === 'prompt_too_long' || reply.finishReason === 'reply_too_long') return reply.finishReason;
  if (reply.text.trim() === '') return 'empty';
  return reply.finishReason === 'length' ? 'truncated' : 'ok';
}
