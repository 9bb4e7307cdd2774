/** What a prompt asks for, judged by its wording alone. */
import { languages } from '../domain/languages/index.ts';
import { type ProgramLanguage, programLanguages } from '../schemas/program.ts';

export type Question =
  | { readonly kind: 'judge'; readonly first: string; readonly second: string }
  | { readonly kind: 'summarize'; readonly code: string }
  | { readonly kind: 'rewrite'; readonly passages: readonly string[]; readonly instruction: string }
  | { readonly kind: 'describe'; readonly task: string; readonly solution: string }
  | { readonly kind: 'shorten'; readonly text: string; readonly limit: number }
  | { readonly kind: 'label'; readonly themes: readonly string[]; readonly text: string }
  | { readonly kind: 'propose'; readonly text: string }
  | { readonly kind: 'translate'; readonly to: ProgramLanguage }
  | { readonly kind: 'pseudocode' }
  | { readonly kind: 'unravel'; readonly pseudocode: string }
  | { readonly kind: 'generate' };

const twoPrompts = /\bprompt 1\b:?([\s\S]*?)\bgenerated code 1\b[\s\S]*?\bprompt 2\b:?([\s\S]*?)\bgenerated code 2\b/i;
const fencedBlock = /```[\w+-]*[ \t]*\n([\s\S]*?)```/g;
const summaryWords = /\bsummar(?:y|i[sz]e|i[sz]ation)\b|\b(?:describe|explain) what\b/i;
const codingWords = /\b(?:improve|complete) the following\b|\bgenerate python code\b|\breturn only the code\b/i;

/** A passage to reword. */
const passage = /<passage number="\d+">\n([\s\S]*?)\n<\/passage>/g;

/**
 * In this order: by tags, a description, a shorter one, its themes, a taxonomy or reworded passages; pseudocode, if
 * requested, or its summary, if given; code in another language, if one is named; a similarity score for two prompts; a
 * summary, if code and a request for a summary are given; else code.
 */
export function readQuestion(text: string): Question {
  const described = aboutDescription(text);
  if (described !== null) return described;
  const passages = [...text.matchAll(passage)].map(([, words]) => words ?? '');
  if (passages.length > 0) return { kind: 'rewrite', passages, instruction: text.slice(0, text.indexOf('<task>')) };
  if (/^write pseudocode\b/i.test(text)) return { kind: 'pseudocode' };
  const pseudocode = /\bsummarize the following pseudocode\b/i.test(text) ? fencedIn(text) : null;
  if (pseudocode !== null) return { kind: 'unravel', pseudocode };
  const target = targetOf(text);
  if (target !== undefined) return { kind: 'translate', to: target };
  const pair = /similarity/i.test(text) ? twoPrompts.exec(text) : null;
  if (pair?.[1] !== undefined && pair[2] !== undefined) return { kind: 'judge', first: pair[1], second: pair[2] };
  const code = summaryWords.test(text) ? codeIn(text) : null;
  const instructions = code === null ? text : text.replace(code, '');
  if (code !== null && summaryWords.test(instructions) && !codingWords.test(instructions))
    return { kind: 'summarize', code };
  return { kind: 'generate' };
}

/** A request to write, shorten or label a description, or to propose a taxonomy; null for others. */
function aboutDescription(text: string): Question | null {
  const task = tagged(text, 'task');
  const solution = tagged(text, 'solution');
  if (task !== null && solution !== null) return { kind: 'describe', task, solution };
  const summaries = tagged(text, 'summaries');
  if (summaries !== null && text.includes('<taxonomy>')) return { kind: 'propose', text: summaries };
  const description = tagged(text, 'description');
  if (description === null) return null;
  const themes = tagged(text, 'themes');
  if (themes !== null) return { kind: 'label', themes: themes.match(/(?<=^ {2})\S+/gm) ?? [], text: description };
  const limit = /\bin at most (\d+) words\b/.exec(text)?.[1];
  return limit === undefined ? null : { kind: 'shorten', text: description, limit: Number(limit) };
}

function tagged(text: string, tag: string): string | null {
  const start = text.indexOf(`<${tag}>\n`);
  if (start === -1) return null;
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(text.slice(start))?.[1] ?? null;
}

const translationOrder = /^Convert the following \S+ code to (\S+?):?$/m;

function targetOf(text: string): ProgramLanguage | undefined {
  const title = translationOrder.exec(text)?.[1];
  return title === undefined ? undefined : programLanguages.find((language) => languages[language].title === title);
}

const fencedIn = (text: string): string | null => [...text.matchAll(fencedBlock)][0]?.[1] ?? null;

/** The first fenced block with a definition, else everything from the first definition on, else null. */
function codeIn(text: string): string | null {
  for (const [, block] of text.matchAll(fencedBlock)) if (block !== undefined && /\bdef\s/.test(block)) return block;
  const start = text.search(/^(?:import|from|def|class)\s/m);
  return start >= 0 && /^def\s/m.test(text) ? text.slice(start) : null;
}
