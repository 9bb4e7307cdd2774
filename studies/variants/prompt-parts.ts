/**
 * Splits a benchmark prompt into passages of natural language, which variants may rewrite, and fixed segments, which
 * they must keep: code, quotes, examples, asserts, bullets, headings and formulas.
 */
import { commentBeforeSignature, signatureName } from '../../domain/extraction/cpp-text.ts';
import { boundNames, statementsOf } from '../../domain/extraction/statements.ts';

/** The prompt's segments in order: joined, they give the prompt. */
export interface PromptParts {
  readonly segments: readonly Segment[];
}

export interface Segment {
  readonly kind: 'fixed' | 'passage';
  readonly text: string;
}

/** The passages of a prompt, in order. */
export const passagesOf = ({ segments }: PromptParts): string[] =>
  segments.flatMap(({ kind, text }) => (kind === 'passage' ? [text] : []));

/** The prompt with its passages replaced; needs one text per passage. */
export function withPassages({ segments }: PromptParts, passages: readonly string[]): string {
  let next = 0;
  const texts = segments.map(({ kind, text }) => (kind === 'fixed' ? text : (passages[next++] ?? text)));
  return texts.join('');
}

/**
 * Splits a prompt. If it defines the entry point, its words are in that function's docstring; otherwise within its
 * quotes, or everywhere.
 */
export function promptParts(prompt: string, entryPoint: string): PromptParts {
  const { start, end } = describedRange(prompt, entryPoint);
  const inside = lineSegments(prompt.slice(start, end), entryPoint);
  const outside = [
    { kind: 'fixed', text: prompt.slice(0, start) },
    ...inside,
    { kind: 'fixed', text: prompt.slice(end) },
  ] satisfies Segment[];
  return { segments: merged(outside) };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The range of the description: inside the entry point's docstring, inside a quoted prompt, or inside the comment
 * before a C++ signature that ends the prompt. Empty, at the end of the prompt, if a definition has no such text.
 */
export function describedRange(prompt: string, entryPoint: string): Range {
  if (signatureName(prompt) === entryPoint)
    return commentBeforeSignature(prompt) ?? { start: prompt.length, end: prompt.length };
  const own = statementsOf(prompt).find(
    (statement) => boundNames(statement).includes(entryPoint) && /^(?:async )?def /.test(statement.head),
  );
  const from = own === undefined ? 0 : prompt.lastIndexOf(own.text);
  const opening =
    own === undefined ? /^\s*[rR]?("""|''')/g : /:[ \t]*(?:#[^\n]*)?\n(?:[ \t]+import [^\n]*\n)*\s*[rR]?("""|''')/g;
  const opened = opening.exec(prompt.slice(from));
  if (opened === null)
    return own === undefined ? { start: 0, end: prompt.length } : { start: prompt.length, end: prompt.length };
  const start = from + opened.index + opened[0].length;
  const close = prompt.indexOf(opened[1] as string, start);
  return { start, end: close === -1 ? prompt.length : close };
}

/** A heading of examples; everything up to the next blank line belongs to them. */
const exampleHeading = /^\s*(?:for\s+)?(?:e\.g\.|examples?|example\s*\d+|sample(?:s| input| output)?)\s*\d*\s*:?\s*$/i;
const heading = /^\s*[\p{L}\s]{1,40}:\s*$/u;
const bullet = /^\s*(?:[-*@•]|\d+[.)])\s*/u;
const codeLike = /`{3}|^\s*(?:#|>>>|\.\.\.|assert\b|(?:for\s+)?e\.g\.|(?:input|output|explanation|constraints?)\s*:)/iu;
/**
 * In a short line these mark a formula or an example. A long line is a paragraph that may hold them; there the check
 * for drift protects them.
 */
const formula = /=|➞|->|→/u;
const formulaWords = 15;

function isPassageLine(line: string, entryPoint: string): boolean {
  if (!/\p{L}{2}/u.test(line) || codeLike.test(line) || bullet.test(line) || heading.test(line)) return false;
  if (formula.test(line) && line.trim().split(/\s+/).length <= formulaWords) return false;
  return !new RegExp(`\\b${entryPoint}\\s*\\(`).test(line);
}

/** The lines of a description as segments; a bullet ends at a blank line. */
function lineSegments(text: string, entryPoint: string): Segment[] {
  const lines = text.split(/(?<=\n)/);
  let example = false;
  let filled = false;
  let bulleted = false;
  return merged(
    lines.flatMap((line) => {
      const blank = line.trim() === '';
      bulleted = bullet.test(line) || (bulleted && !blank);
      if (blank && filled) example = false;
      if (example && !blank) filled = true;
      const starts = exampleHeading.test(line) || /^\s*>>>/.test(line);
      if (starts) {
        example = true;
        filled = /^\s*>>>/.test(line);
      }
      if (blank || example || bulleted || !isPassageLine(line, entryPoint))
        return [{ kind: 'fixed' as const, text: line }];
      return indented(line);
    }),
  );
}

/** A passage excludes surrounding white space, so that the layout stays fixed. */
function indented(line: string): Segment[] {
  const body = line.trim();
  const at = line.indexOf(body);
  return [
    { kind: 'fixed', text: line.slice(0, at) },
    { kind: 'passage', text: body },
    { kind: 'fixed', text: line.slice(at + body.length) },
  ];
}

/** Merges adjacent segments of one kind; white space between two lines of a passage becomes part of it. */
function merged(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    if (segment.text === '') continue;
    const [before, last] = [result.at(-2), result.at(-1)];
    if (last?.kind === segment.kind) result[result.length - 1] = { kind: last.kind, text: last.text + segment.text };
    else if (
      segment.kind === 'passage' &&
      before?.kind === 'passage' &&
      last !== undefined &&
      /^[ \t]*\r?\n[ \t]*$/.test(last.text)
    )
      result.splice(-2, 2, { kind: 'passage', text: before.text + last.text + segment.text });
    else result.push(segment);
  }
  return result;
}
