/** A call that every provider under test can answer, and its coordinates. */
import type { CallCoordinates, ChatReply, ChatRequest } from '../../../schemas/chat.ts';
import { codePrompt, madeUpTasks } from '../../simulator/tasks.ts';

export const question: ChatRequest = {
  model: 'sim',
  messages: [{ role: 'user', content: codePrompt(madeUpTasks[0]?.description ?? '') }],
  parameters: { temperature: 0, maxTokens: 1024, logprobs: true },
};

export const coordinates: CallCoordinates = {
  study: 'loops',
  benchmark: 'mbpp',
  taskId: 'MBPP/2',
  sourceTaskId: 'Mbpp/2',
  language: 'python',
  step: 'generate',
  loop: 1,
  variant: 'original',
  setting: 'default',
  repetition: 0,
  ask: 0,
  sample: 0,
  requestSha256: 'a'.repeat(64),
};

export const unhurried = new AbortController().signal;

/** The reply to a request for one. */
export async function onlyOf(asked: Promise<readonly ChatReply[]>): Promise<ChatReply> {
  const replies = await asked;
  const [reply] = replies;
  if (reply === undefined || replies.length > 1) throw new Error(`one reply was asked for, ${replies.length} came`);
  return reply;
}
