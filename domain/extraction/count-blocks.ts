/** How many blocks an answer has, whichever rule chooses among them, and how many of those define the entry point. */
import { implementsName, withoutEntities } from './extract-code.ts';
import { defines } from './extract-script.ts';
import { fencedBlocks } from './fences.ts';
import { answerText } from './reply-text.ts';
import type { AskedTask } from './rules/rule.ts';

export interface BlockCount {
  readonly blocks: number;
  readonly defining: number;
}

/** Of the answer without thoughts. */
export function countBlocks(reply: string, { language, entryPoint, prompt }: AskedTask): BlockCount {
  if (!reply.includes('```') && !reply.includes('~~~')) return { blocks: 0, defining: 0 };
  const { blocks } = fencedBlocks(answerText(reply));
  const isDefining = (text: string): boolean =>
    language === 'python' ? implementsName(withoutEntities(text), entryPoint) : defines(text, { language, entryPoint, prompt });
  return { blocks: blocks.length, defining: blocks.filter(({ text }) => isDefining(text)).length };
}
