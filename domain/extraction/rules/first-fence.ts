/** The first fenced block of a raw reply, including thoughts: found by marks alone, or by the rules of Markdown. */
import type { ExtractedCode, FoundCode } from '../extract-code.ts';
import { type Block, fencedBlocks } from '../fences.ts';

/**
 * The text between the first three backticks, wherever they are, and the next three, without the tag directly after the
 * first ones. Null if there are no two such marks.
 */
function betweenMarks(reply: string): string | null {
  const open = reply.indexOf('```');
  const close = open === -1 ? -1 : reply.indexOf('```', open + 3);
  return close === -1
    ? null
    : reply
        .slice(open + 3, close)
        .replace(/^[\p{L}\p{N}_]*/u, '')
        .trim();
}

/** The text between the first two marks, else the whole reply; trimmed. */
export function firstFencedOrAll(reply: string): ExtractedCode {
  const fenced = betweenMarks(reply);
  const code = fenced ?? reply.trim();
  if (code === '') return { code: null, how: 'empty', removed: 0 };
  // A module ends in a newline, under every rule: equal programs are run once.
  return { code: `${code}\n`, how: fenced === null ? 'bare' : 'fenced', removed: 0 };
}

/** The first block that `isWanted` accepts, else the whole reply. */
export function firstBlock(reply: string, isWanted: (block: Block) => boolean = () => true): FoundCode {
  const text = reply.replace(/\r\n?/g, '\n');
  const block = fencedBlocks(text).blocks.find(isWanted);
  if (block === undefined) return { text: text.trimEnd().replace(/^\s*\n/, ''), how: 'bare' };
  return { text: block.text, how: block.closed ? 'fenced' : 'unclosed_fence' };
}
