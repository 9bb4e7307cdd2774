/** Counts the fenced blocks of an answer, and those that define the entry point, whichever rule chooses among them. */
import { languages } from '../languages/index.ts';
import { fencedBlocks } from './fences.ts';
import { answerText } from './reply-text.ts';
import type { AskedTask } from './rules/rule.ts';

export interface BlockCount {
  readonly blocks: number;
  readonly defining: number;
}

/** Counts in the answer without thoughts. */
export function countBlocks(reply: string, { language, entryPoint }: AskedTask): BlockCount {
  if (!reply.includes('```') && !reply.includes('~~~')) return { blocks: 0, defining: 0 };
  const { blocks } = fencedBlocks(answerText(reply));
  const { reading } = languages[language];
  return { blocks: blocks.length, defining: blocks.filter(({ text }) => reading.defines(text, entryPoint)).length };
}
