/** The first fenced block of a reply as it came, thoughts included: by marks alone, and as Markdown has it. */
import type { Found } from '../extract-code.ts';
import { type Block, fencedBlocks } from '../fences.ts';

/**
 * Between the first three backticks, wherever they stand, and the next three; a word right behind the first ones is a tag. Null
 * where there are no two such marks.
 */
export function betweenMarks(reply: string): string | null {
  const open = reply.indexOf('```');
  const close = open === -1 ? -1 : reply.indexOf('```', open + 3);
  return close === -1
    ? null
    : reply
        .slice(open + 3, close)
        .replace(/^[\p{L}\p{N}_]*/u, '')
        .trim();
}

/** The first block that is wanted, else the whole reply. */
export function firstBlock(reply: string, isWanted: (block: Block) => boolean = () => true): Found {
  const text = reply.replace(/\r\n?/g, '\n');
  const block = fencedBlocks(text).blocks.find(isWanted);
  if (block === undefined) return { text: text.trimEnd().replace(/^\s*\n/, ''), how: 'bare' };
  return { text: block.text, how: block.closed ? 'fenced' : 'unclosed_fence' };
}
