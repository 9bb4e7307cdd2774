/**
 * Finds programs in replies, in languages that run as one file followed by the tests: the function and what it needs,
 * without a main program.
 */
import { anyOf } from '../any-of.ts';
import type { ExtractedCode, FoundCode } from './extract-code.ts';
import { type Block, fencedBlocks } from './fences.ts';
import { endsInText, type LongTexts } from './open-text.ts';
import type { CodeReading, WantedFunction } from './reading.ts';
import { answerText } from './reply-text.ts';
import { topLevelParts } from './top-level-parts.ts';

/** How programs of such a language are recognised. */
export interface ScriptTraits {
  /** Its tags of fenced blocks, in lower case. */
  readonly fences: readonly string[];
  /** Matches the beginning of the function's definition. */
  definition(name: string): RegExp;
  /** Matches the beginning of any function's definition: a text that has one is not just a body. */
  readonly anyDefinition: RegExp;
  /** Completes a prompt's signature followed by a body to a whole function. */
  withBodyEnded(text: string): string;
  /** Matches the beginning of top-level statements that only demonstrate the function, other than calls of it. */
  readonly showing: RegExp;
  /** Texts of several lines, which a statement that only demonstrates may print. */
  readonly texts?: LongTexts;
  /** Removes tags, exports, and text after a file's end, so that tests can follow. */
  withoutWrapping?(text: string): string;
  /** Whether an unindented reply without a block is a function's body. An indented one is, in every language. */
  isBodyAtMargin?(text: string, prompt: string): boolean;
  /** Adds what the program needs from the prompt. */
  underPrompt?(code: string, wanted: WantedFunction): string;
}

export function scriptReading(traits: ScriptTraits): CodeReading {
  const fences = new Set(traits.fences);
  return {
    owns: (tag) => tag === '' || fences.has(tag),
    defines: (text, entryPoint) => traits.definition(entryPoint).test(text),
    lastDefining: (reply, wanted) => underPrompt(extractScript(reply, wanted, traits), wanted, traits),
    completed(found, wanted) {
      const whole = withSignature(found, wanted, traits);
      if (whole === found && found.how === 'bare' && !defines(found.text, wanted, traits)) return null;
      return underPrompt(scriptProgram(whole, wanted, traits), wanted, traits);
    },
    whole: (found, wanted) => underPrompt(scriptProgram(found, wanted, traits), wanted, traits),
  };
}

const underPrompt = (program: ExtractedCode, wanted: WantedFunction, traits: ScriptTraits): ExtractedCode =>
  program.code === null || traits.underPrompt === undefined
    ? program
    : { ...program, code: traits.underPrompt(program.code, wanted) };

/** Never throws. */
export function extractScript(reply: string, wanted: WantedFunction, traits: ScriptTraits): ExtractedCode {
  const answer = answerText(reply);
  if (answer === '') return { code: null, how: reply.trim() === '' ? 'empty' : 'prose_only', removed: 0 };
  const found = findIn(answer, wanted, traits);
  return typeof found === 'string' ? { code: null, how: found, removed: 0 } : scriptProgram(found, wanted, traits);
}

/** Prepares a chosen text for the tests that follow it: removes main program, exports and tags. */
function scriptProgram(found: FoundCode, wanted: WantedFunction, traits: ScriptTraits): ExtractedCode {
  const { code, removed } = withoutMain(found.text, wanted, traits);
  return code === '' ? { code: null, how: 'tests_only', removed } : { code, how: found.how, removed };
}

/** Adds the prompt's signature if the text is only the function's body. */
const withSignature = (found: FoundCode, wanted: WantedFunction, traits: ScriptTraits): FoundCode =>
  defines(found.text, wanted, traits) ? found : (withFunction(found.text, wanted, traits) ?? found);

function findIn(
  answer: string,
  wanted: WantedFunction,
  traits: ScriptTraits,
): FoundCode | 'prose_only' | 'other_language' {
  const { blocks, outside } = fencedBlocks(answer);
  const defining = blocks.filter(({ text }) => defines(text, wanted, traits));
  const chosen = defining.findLast(({ closed }) => closed) ?? defining.at(-1);
  if (chosen !== undefined) return { text: chosen.text, how: chosen.closed ? 'fenced' : 'unclosed_fence' };
  const own = blocks.find((block) => mayBeOwn(block, traits));
  if (own !== undefined) return withFunction(own.text, wanted, traits) ?? { text: own.text, how: 'fenced' };
  if (blocks.length > 0) return 'other_language';
  if (defines(outside, wanted, traits)) return { text: betweenProse(outside, wanted, traits), how: 'bare' };
  const isBody = /^[ \t]+\S/.test(outside) || traits.isBodyAtMargin?.(outside, wanted.prompt) === true;
  return (isBody && withFunction(outside, wanted, traits)) || 'prose_only';
}

const defines = (text: string, { entryPoint }: WantedFunction, { definition }: ScriptTraits): boolean =>
  definition(entryPoint).test(text);

const untagged = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'code']);
const mayBeOwn = ({ tag }: Block, { fences }: ScriptTraits): boolean => untagged.has(tag) || fences.includes(tag);

/** The prompt's signature with `body`; null if the text is not a body because it defines another function. */
function withFunction(body: string, { prompt }: WantedFunction, traits: ScriptTraits): FoundCode | null {
  if (body.trim() === '' || traits.anyDefinition.test(body)) return null;
  return { text: traits.withBodyEnded(`${prompt.trimEnd()}\n${body.trimEnd()}\n`), how: 'body' };
}

/** Closes the braces that are still open. */
export function withBracesClosed(text: string): string {
  const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|(?:\/\/|#).*$/gm, '');
  const open = [...code].reduce((depth, char) => depth + (char === '{' ? 1 : char === '}' ? -1 : 0), 0);
  return `${text}${'}\n'.repeat(Math.max(0, open))}`;
}

/** The text before `__END__` or `__DATA__`. */
export function withoutFileEnd(text: string): string {
  const end = text.search(/^__(?:END|DATA)__\s*$/m);
  return end === -1 ? text : text.slice(0, end);
}

/** Beginnings of unindented lines of code, in any language. */
const codeLine = new RegExp(
  `^${anyOf(
    /<\?php/,
    /use\s+[\w:]+/,
    /require\b|import\b|#include\b|#pragma\b/,
    /const\b|let\b|var\b|my\b|our\b/,
    /class\b|module\b|template\b|using\b/,
    /\/\*\*/,
    /export\b|async\b/,
  )}`,
);

/** A reply without fences, from its first line of code to its last. */
function betweenProse(text: string, { entryPoint }: WantedFunction, traits: ScriptTraits): string {
  const lines = text.split('\n');
  const definition = traits.definition(entryPoint);
  const start = lines.findIndex((line) => codeLine.test(line) || definition.test(line));
  const end = lines.findLastIndex((line) => /[;{}\])]\s*$|^\s*end\s*$|^\?>/.test(line));
  return lines.slice(Math.max(0, start), end + 1).join('\n');
}

function withoutMain(
  found: string,
  { entryPoint }: WantedFunction,
  traits: ScriptTraits,
): { readonly code: string; readonly removed: number } {
  const parts = withWholeTexts(topLevelParts(traits.withoutWrapping?.(found) ?? found), traits);
  const call = new RegExp(String.raw`^&?${entryPoint}\s*\(.*\)\s*;?\s*$`);
  const kept = parts.filter((part) => !traits.showing.test(part) && !call.test(part));
  const code = kept.join('\n').trim();
  return { code: code === '' ? '' : `${code}\n`, removed: parts.length - kept.length };
}

/**
 * Joins a statement that only demonstrates with the lines of the text that it prints. One whose text does not end
 * before a function begins stays as it is: it was misread.
 */
function withWholeTexts(parts: readonly string[], traits: ScriptTraits): readonly string[] {
  const { texts, showing, anyDefinition } = traits;
  if (texts === undefined) return parts;
  const whole: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    let [statement = '', next] = [parts[at], at + 1];
    const isOpen = (): boolean => showing.test(statement) && endsInText(statement, texts);
    while (isOpen() && next < parts.length && !anyDefinition.test(parts[next] ?? '')) {
      statement += `\n${parts[next]}`;
      next += 1;
    }
    const isWhole = !isOpen();
    whole.push(isWhole ? statement : (parts[at] ?? ''));
    if (isWhole) at = next - 1;
  }
  return whole;
}
