/**
 * Fenced code blocks of a chat reply, as models write them: any tag, tildes, unclosed, indented, quoted, opened in the
 * middle of a line.
 */
import { dedent, neutral, type ScanState, scanLine } from './statements.ts';

export interface Block {
  /** Lower case, first word only; empty without a tag. */
  readonly tag: string;
  readonly text: string;
  readonly closed: boolean;
}

export interface FencedReply {
  readonly blocks: readonly Block[];
  /** The reply's lines outside all blocks. */
  readonly outside: string;
}

interface Fence {
  readonly mark: string;
  readonly info: string;
  readonly indent: number;
}

/** A fence inside a docstring closes its block only if the docstring does not end within this many lines. */
const docstringLines = 200;

const mayFence = (text: string): boolean => text.includes('```') || text.includes('~~~');

function fenceOf(line: string): Fence | null {
  if (!mayFence(line)) return null;
  const start = line.trimStart();
  const char = start[0];
  if ((char !== '`' && char !== '~') || !start.startsWith(char.repeat(3))) return null;
  let length = 3;
  while (start[length] === char) length += 1;
  return { mark: char.repeat(length), info: start.slice(length).trim(), indent: line.length - start.length };
}

const closes = (fence: Fence, open: Fence): boolean => fence.info === '' && fence.mark.startsWith(open.mark);
const tagOf = (info: string): string =>
  (/^\{?\.?([\w+#-]*)/.exec(info.replace(/^language-/, ''))?.[1] ?? '').toLowerCase();

/** All blocks in order. Never throws; linear in the reply's length. */
export function fencedBlocks(reply: string): FencedReply {
  const lines = splitAtFences(reply);
  const blocks: Block[] = [];
  const outside: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] as string;
    const quoted = quotation(lines, index);
    if (quoted !== null) {
      const inside = fencedBlocks(quoted.text);
      blocks.push(...inside.blocks);
      outside.push(inside.outside);
      index = quoted.next;
      continue;
    }
    const open = fenceOf(line);
    index += 1;
    if (open === null) outside.push(line);
    else if (open.info.includes('```')) blocks.push(oneLineBlock(open.info));
    else {
      const end = blockEnd(lines, index, open);
      blocks.push({ tag: tagOf(open.info), text: blockText(lines.slice(index, end.line), open), closed: end.closed });
      index = end.next;
    }
  }
  return { blocks, outside: outside.join('\n') };
}

/** Quote marks (`>`) before a fence; their number is limited because each one costs a recursion. */
const quotedFence = /^ {0,3}((?:> {0,4}){1,8})(?:`{3}|~{3})/;

interface Quotation {
  /** The quoted text without its marks. */
  readonly text: string;
  /** Index of the line after it. */
  readonly next: number;
}

/**
 * The quotation that starts with a quoted fence at `from`; null if this line is not one. It ends with its last quoted
 * line, which also ends its block.
 */
function quotation(lines: readonly string[], from: number): Quotation | null {
  const marks = quotedFence.exec(lines[from] as string)?.[1];
  if (marks === undefined) return null;
  const depth = marks.split('>').length - 1;
  let next = from + 1;
  for (let line = next; line < lines.length && /^\s*(?:>|$)/.test(lines[line] as string); line += 1)
    if ((lines[line] as string).trim() !== '') next = line + 1;
  const bare = new RegExp(`^ {0,3}(?:> {0,3}){0,${depth - 1}}> ?`);
  const text = lines.slice(from, next).map((line) => line.replace(bare, ''));
  return { text: text.join('\n'), next };
}

/** "```python def f(): ...```" on one line. */
function oneLineBlock(info: string): Block {
  const content = info.slice(0, info.indexOf('```'));
  const tagged = /^(python3?|py)\s+/i.exec(content);
  return { tag: tagged?.[1]?.toLowerCase() ?? '', text: content.slice(tagged?.[0].length ?? 0).trim(), closed: true };
}

interface BlockEnd {
  /** The first line after the block's text, and the line to continue with. */
  readonly line: number;
  readonly next: number;
  readonly closed: boolean;
}

function blockEnd(lines: readonly string[], from: number, open: Fence): BlockEnd {
  let state: ScanState = neutral;
  let inDocstring: BlockEnd | null = null;
  let shorter: BlockEnd | null = null;
  for (let line = from; line < lines.length; line += 1) {
    if (inDocstring !== null && line - inDocstring.line > docstringLines) return inDocstring;
    const text = lines[line] as string;
    const fence = fenceOf(text);
    if (fence !== null && closes(fence, open)) {
      const end = { line, next: line + 1, closed: true };
      if (state.quote === null) return end;
      inDocstring ??= end;
    } else if (fence !== null && state.quote === null && fence.mark[0] === open.mark[0] && fence.info !== '') {
      // A tagged fence opens the next block: the model forgot to close this one, or wraps its whole reply in a block.
      return { line, next: line, closed: true };
    } else if (fence !== null && state.quote === null && fence.info === '' && open.mark.startsWith(fence.mark)) {
      shorter = { line, next: line + 1, closed: true };
    }
    state = scanLine(state, text);
  }
  // Some models open with more marks than they close with.
  return inDocstring ?? shorter ?? { line: lines.length, next: lines.length, closed: false };
}

/** The block's lines without the indentation of the fence, unless the code does not have it. */
function blockText(lines: readonly string[], open: Fence): string {
  const margin = ' '.repeat(open.indent);
  if (lines.find((line) => line.trim() !== '')?.startsWith(margin) !== true) return dedent(lines.join('\n'));
  return dedent(lines.map((line) => (line.startsWith(margin) ? line.slice(open.indent) : line)).join('\n'));
}

/** Moves a fence that begins or ends a block in the middle of a line to a separate line. */
function splitAtFences(reply: string): string[] {
  const lines = reply.split('\n');
  if (!lines.some(hasFenceInside)) return lines;
  return lines.flatMap((line) => {
    const at = line.lastIndexOf('```');
    return hasFenceInside(line) ? [line.slice(0, at), line.slice(at)] : [line];
  });
}

function hasFenceInside(line: string): boolean {
  const at = line.lastIndexOf('```');
  if (at < 1) return false;
  const before = line.slice(0, at);
  if (before.includes('```') || /^[\s>]*$/.test(before) || before.endsWith('`')) return false;
  return /^(?:python3?|py)?\s*$/i.test(line.slice(at + 3));
}
