/** The program in a model's reply in a language other than Python: the function and what it needs, without a main program. */
import type { ProgramLanguage } from '../../schemas/program.ts';
import { fenceTags, languageTexts } from '../languages.ts';
import type { ExtractedCode, Found } from './extract-code.ts';
import { type Block, fencedBlocks } from './fences.ts';
import { answerText } from './reply-text.ts';
import { topLevelParts } from './top-level-parts.ts';

export interface ScriptContext {
  readonly language: Exclude<ProgramLanguage, 'python'>;
  readonly entryPoint: string;
  /** Ends in the entry point's signature; completes answers that are a body only. */
  readonly prompt: string;
}

/** Never throws. */
export function extractScript(reply: string, context: ScriptContext): ExtractedCode {
  const answer = answerText(reply);
  if (answer === '') return { code: null, how: reply.trim() === '' ? 'empty' : 'prose_only', removed: 0 };
  const found = findIn(answer, context);
  return typeof found === 'string' ? { code: null, how: found, removed: 0 } : scriptProgram(found, context);
}

/** A text that was chosen from a reply, made ready for the tests that follow it: without main program, exports and tags. */
export function scriptProgram(found: Found, context: ScriptContext): ExtractedCode {
  const { code, removed } = withoutMain(found.text, context);
  return code === '' ? { code: null, how: 'tests_only', removed } : { code, how: found.how, removed };
}

/** With the prompt's signature where the text is the function's body alone. */
export const withSignature = (found: Found, context: ScriptContext): Found =>
  defines(found.text, context) ? found : (withFunction(found.text, context) ?? found);

function findIn(answer: string, context: ScriptContext): Found | 'prose_only' | 'other_language' {
  const { blocks, outside } = fencedBlocks(answer);
  const defining = blocks.filter(({ text }) => defines(text, context));
  const chosen = defining.findLast(({ closed }) => closed) ?? defining.at(-1);
  if (chosen !== undefined) return { text: chosen.text, how: chosen.closed ? 'fenced' : 'unclosed_fence' };
  const own = blocks.find((block) => isOwn(block, context));
  if (own !== undefined) return withFunction(own.text, context) ?? { text: own.text, how: 'fenced' };
  if (blocks.length > 0) return 'other_language';
  if (defines(outside, context)) return { text: betweenProse(outside, context), how: 'bare' };
  return ((/^[ \t]+\S/.test(outside) || isCppBody(outside, context)) && withFunction(outside, context)) || 'prose_only';
}

export const defines = (text: string, { language, entryPoint }: ScriptContext): boolean =>
  languageTexts[language].definition(entryPoint).test(text);

const untagged = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'code']);
const isOwn = ({ tag }: Block, { language }: ScriptContext): boolean => untagged.has(tag) || fenceTags(language).has(tag);

const anyDefinition: Readonly<Record<ScriptContext['language'], RegExp>> = {
  javascript: /^(?:async\s+)?function\b|=>\s*\{?\s*$/m,
  php: /^function\b/im,
  ruby: /^def\b/m,
  perl: /^sub\s+\w/m,
  cpp: /^(?!(?:if|for|while|switch|do|else|return|catch|try)\b)[A-Za-z_][\w:<>,&*\t ]*[\t &*>]\w+\s*\([^;=]*\)\s*\{/m,
};

/** The prompt's signature with `body` in it; null when the text is no body, since it defines a function of another name. */
function withFunction(body: string, { language, prompt }: ScriptContext): Found | null {
  if (body.trim() === '' || anyDefinition[language].test(body)) return null;
  const text = `${prompt.trimEnd()}\n${body.trimEnd()}\n`;
  return { text: language === 'ruby' ? endedInRuby(text) : closed(text), how: 'body' };
}

const endedInRuby = (text: string): string => (/\nend\s*$/.test(text) ? text : `${text}end\n`);

/** A body without a fence and at the left margin: its first and its last line are code. */
function isCppBody(text: string, { language, prompt }: ScriptContext): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const code = /[;{}]\s*(?:\/\/.*)?$|^\s*#\s*pragma\b|^\s*\/\//;
  return language === 'cpp' && prompt.trimEnd().endsWith('{') && code.test(lines[0] ?? '') && code.test(lines.at(-1) ?? '');
}

/** With the braces that are still open closed. */
function closed(text: string): string {
  const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|(?:\/\/|#).*$/gm, '');
  const open = [...code].reduce((depth, char) => depth + (char === '{' ? 1 : char === '}' ? -1 : 0), 0);
  return `${text}${'}\n'.repeat(Math.max(0, open))}`;
}

/** How lines of code begin, at the left margin. */
const codeLine =
  /^(?:<\?php|use\s+[\w:]+|require\b|import\b|#include\b|#pragma\b|const\b|let\b|var\b|my\b|our\b|class\b|module\b|template\b|using\b|\/\*\*|export\b|async\b)/;

/** A reply without fences, from its first line of code to its last. */
function betweenProse(text: string, context: ScriptContext): string {
  const lines = text.split('\n');
  const definition = languageTexts[context.language].definition(context.entryPoint);
  const start = lines.findIndex((line) => codeLine.test(line) || definition.test(line));
  const end = lines.findLastIndex((line) => /[;{}\])]\s*$|^\s*end\s*$|^\?>/.test(line));
  return lines.slice(Math.max(0, start), end + 1).join('\n');
}

/** Top-level statements that only show the function at work, by how they begin. A call of the entry point is one in every language. */
const showing: Readonly<Record<ScriptContext['language'], RegExp>> = {
  javascript: /^(?:console\.|module\.exports\b|exports\.|export\s*[{*]|export\s+default\s+\w+\s*;|assert\b|process\.)/,
  php: /^(?:echo\b|print\b|print_r\b|var_dump\b|var_export\b|assert\b|exit\b|die\b)/i,
  ruby: /^(?:puts\b|print\b|p\s|p\(|pp\b|exit\b|if\s+__FILE__\s*==|if\s+\$(?:0|PROGRAM_NAME)\s*==)/,
  perl: /^(?:print\b|printf\b|say\b|main\s*\(|exit\b|__PACKAGE__->)/,
  cpp: /^(?:int|auto|void)\s+main\s*\(/,
};

/** The rest of a file behind these is no code. */
const fileEnd = /^__(?:END|DATA)__\s*$/m;

function withoutMain(found: string, { language, entryPoint }: ScriptContext): { readonly code: string; readonly removed: number } {
  const parts = topLevelParts(withoutWrapping(found, language));
  const call = new RegExp(String.raw`^&?${entryPoint}\s*\(.*\)\s*;?\s*$`);
  const kept = parts.filter((part) => !showing[language].test(part) && !call.test(part));
  const code = kept.join('\n').trim();
  return { code: code === '' ? '' : `${code}\n`, removed: parts.length - kept.length };
}

/** Without PHP's tags, an ES module's exports, and what stands behind a file's end: the tests are to follow it. */
function withoutWrapping(text: string, language: ScriptContext['language']): string {
  const end = text.search(fileEnd);
  const code = (language === 'perl' || language === 'ruby') && end !== -1 ? text.slice(0, end) : text;
  if (language === 'php') return code.replace(/^\s*<\?php\b/i, '').replace(/\?>\s*$/, '');
  if (language === 'javascript')
    return code.replaceAll(/^export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)/gm, '');
  return code;
}
