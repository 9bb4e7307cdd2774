/** The summary in a reply, which EVALOOP passes on. */
import { fencedBlocks } from './fences.ts';
import { answerText } from './reply-text.ts';

/** The reply without thoughts and without a fence around all of it, trimmed. Null if nothing is left. */
export function summaryText(reply: string): string | null {
  const answer = answerText(reply).trim();
  const text = enclosed(answer)?.trim() ?? answer;
  return text === '' ? null : text;
}

function enclosed(answer: string): string | null {
  if (!answer.startsWith('```') && !answer.startsWith('~~~')) return null;
  const { blocks, outside } = fencedBlocks(answer);
  return blocks.length === 1 && outside.trim() === '' ? (blocks[0]?.text ?? null) : null;
}
