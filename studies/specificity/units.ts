/** A description's paragraphs and sentences: the units of sampling and masking. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Number of words, separated by white space, as `wc -w` counts. The unit of word limits. */
export const wordCount = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/**
 * Blocks between blank lines; a heading belongs to the block after it, and a fenced block is not split.
 */
export function paragraphsOf(text: string): string[] {
  const blocks: string[] = [];
  let fenced = false;
  let fresh = true;
  for (const line of text.split('\n')) {
    const blank = line.trim() === '' && !fenced;
    if (!blank) {
      const last = blocks.at(-1);
      if (last === undefined || (fresh && !isHeading(last))) blocks.push(line);
      else blocks[blocks.length - 1] = `${last}\n${line}`;
    }
    fresh = blank || (fresh && blank);
    if (/^\s*```/.test(line)) fenced = !fenced;
  }
  return blocks.map((block) => block.trimEnd());
}

const isHeading = (block: string): boolean => !block.includes('\n') && /(?::|^\s*#.*)\s*$/.test(block);

const listItem = /^\s*(?:[-*@•]|\d+[.)])\s+/;
const codeLine = /^\s*(?:\.\.\.|assert\b|#)/;
/** A line of a Python session; its output follows up to a blank line. */
const sessionLine = /^\s*>>>/;
/** A gap after a full stop and before a possible start of a sentence; "e.g." and similar do not end a sentence. */
const boundary = /(?<!\b(?:e\.g|i\.e|vs|cf|resp|approx)\.)(?<=[.!?]["'`)\]]*)[ \t]*\s(?=["'`([]*[\p{Lu}\p{N}`])/gu;

/**
 * The sentences in order. Each list item, example with its output, line of code, heading and fenced block counts as one
 * sentence.
 */
export function sentencesOf(text: string): Span[] {
  return proseBlocks(text)
    .flatMap((block) => (block.whole ? [trimmed(text, block)] : sentencesIn(text, block)))
    .filter(isFilled);
}

const isFilled = ({ start, end }: Span): boolean => end > start;

interface Block extends Span {
  /** Whether the block is not split into sentences. */
  readonly whole: boolean;
}

function proseBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  let fenced = false;
  let open: 'prose' | 'item' | null = null;
  for (const line of text.split(/(?<=\n)/)) {
    const end = start + line.length;
    const fence = /^\s*```/.test(line);
    const last = blocks.at(-1);
    const code = codeLine.test(line);
    if (fenced && last !== undefined) blocks[blocks.length - 1] = { ...last, end };
    else if (fence) blocks.push({ start, end, whole: true });
    else if (line.trim() === '') open = null;
    else if (code || (open === null && /:\s*$/.test(line) && !/[.!?]\s/.test(line))) {
      blocks.push({ start, end, whole: true });
      open = null;
    } else if (listItem.test(line) || sessionLine.test(line)) {
      blocks.push({ start, end, whole: true });
      open = 'item';
    } else if (open !== null && last !== undefined) blocks[blocks.length - 1] = { ...last, end };
    else {
      blocks.push({ start, end, whole: false });
      open = 'prose';
    }
    if (fence) {
      fenced = !fenced;
      open = null;
    }
    start = end;
  }
  return blocks;
}

function sentencesIn(text: string, { start, end }: Span): Span[] {
  const block = text.slice(start, end);
  const cuts = [...block.matchAll(boundary)].map(({ index, 0: gap }) => ({
    end: start + index,
    next: start + index + gap.length,
  }));
  const starts = [start, ...cuts.map(({ next }) => next)];
  return starts.map((from, index) => trimmed(text, { start: from, end: cuts[index]?.end ?? end }));
}

function trimmed(text: string, { start, end }: Span): Span {
  const piece = text.slice(start, end);
  return { start: start + piece.length - piece.trimStart().length, end: end - piece.length + piece.trimEnd().length };
}

/**
 * The text without the sentences `from` to `to` - 1; the larger of the two gaps around them is kept.
 */
export function withoutSentences(text: string, sentences: readonly Span[], from: number, to: number): string {
  const [first, last] = [sentences[from], sentences[to - 1]];
  if (first === undefined || last === undefined) return text;
  const [before, after] = [text.slice(0, first.start), text.slice(last.end)];
  const [left, right] = [before.trimEnd(), after.trimStart()];
  const gaps = [before.slice(left.length), after.slice(0, after.length - right.length)];
  const lines = (gap: string): number => gap.split('\n').length;
  const gap = lines(gaps[1] ?? '') > lines(gaps[0] ?? '') ? gaps[1] : gaps[0];
  return left === '' ? right.trim() : right === '' ? left : `${left}${gap}${right}`;
}
