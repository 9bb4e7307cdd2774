/** How a simulated model with a known need for detail does: the more words a prompt describes its function with, the likelier it is solved. */
import { commentBeforeSignature, signatureName } from '../domain/extraction/cpp-text.ts';
import type { SimulatedProfile } from './profile.ts';

/** Words of the docstring, or of the comment before the C++ signature, of `entryPoint` in a prompt; 0 where there is none. */
export function describedWords(prompt: string, entryPoint: string): number {
  const definition = prompt.lastIndexOf(`def ${entryPoint}`);
  if (definition === -1) return wordsIn(cppComment(prompt, entryPoint));
  const docstring = /("""|''')([\s\S]*?)\1/.exec(prompt.slice(definition))?.[2] ?? '';
  return wordsIn(docstring);
}

const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The comment before the signature that the prompt ends in, fence aside. */
function cppComment(prompt: string, entryPoint: string): string {
  const begun = withoutFence(prompt);
  const range = signatureName(begun) === entryPoint ? commentBeforeSignature(begun) : null;
  return range === null ? '' : begun.slice(range.start, range.end);
}

/** A prompt without the marks of the code block that it ends in. */
export const withoutFence = (prompt: string): string => /```\w*\n([\s\S]*?)\n```\s*$/.exec(prompt)?.[1] ?? prompt;

/** From `floor` without a word, in a straight line up to `competence` at `words` words and beyond; null where the profile has no such need. */
export function detailChance({ competence, detailNeed }: SimulatedProfile, words: number): number | null {
  if (detailNeed === undefined) return null;
  return detailNeed.floor + (competence - detailNeed.floor) * Math.min(1, words / detailNeed.words);
}
