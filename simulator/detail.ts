/**
 * Success of a simulated model with a known need for detail: the more words describe the function in a prompt, the
 * likelier it is solved.
 */
import { commentBeforeSignature, signatureName } from '../domain/extraction/cpp-text.ts';
import type { SimulatedProfile } from './profile.ts';

/**
 * Number of words in the docstring of `entryPoint` in a prompt, or in the comment before its C++
 * signature; 0 without either.
 */
export function describedWords(prompt: string, entryPoint: string): number {
  const definition = prompt.lastIndexOf(`def ${entryPoint}`);
  if (definition === -1) return wordsIn(cppComment(prompt, entryPoint));
  const docstring = /("""|''')([\s\S]*?)\1/.exec(prompt.slice(definition))?.[2] ?? '';
  return wordsIn(docstring);
}

const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The comment before the signature at the end of the prompt, without its code fence. */
function cppComment(prompt: string, entryPoint: string): string {
  const begun = withoutFence(prompt);
  const range = signatureName(begun) === entryPoint ? commentBeforeSignature(begun) : null;
  return range === null ? '' : begun.slice(range.start, range.end);
}

/** The code block at the end of a prompt without its fence; the prompt itself if it does not end in one. */
export const withoutFence = (prompt: string): string => /```\w*\n([\s\S]*?)\n```\s*$/.exec(prompt)?.[1] ?? prompt;

/**
 * Probability of a solution: `floor` at 0 words, linear up to `competence` at `detailNeed.words`, constant beyond.
 * Null for a profile without `detailNeed`.
 */
export function detailChance({ competence, detailNeed }: SimulatedProfile, words: number): number | null {
  if (detailNeed === undefined) return null;
  return detailNeed.floor + (competence - detailNeed.floor) * Math.min(1, words / detailNeed.words);
}
