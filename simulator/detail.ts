/** How a simulated model with a known need for detail does: the more words a prompt describes its function with, the likelier it is solved. */
import type { SimulatedProfile } from './profile.ts';

/** Words of the docstring of `entryPoint` in a prompt; 0 where there is none. */
export function describedWords(prompt: string, entryPoint: string): number {
  const definition = prompt.lastIndexOf(`def ${entryPoint}`);
  if (definition === -1) return 0;
  const docstring = /("""|''')([\s\S]*?)\1/.exec(prompt.slice(definition))?.[2] ?? '';
  return docstring.split(/\s+/).filter(Boolean).length;
}

/** From `floor` without a word, in a straight line up to `competence` at `words` words and beyond; null where the profile has no such need. */
export function detailChance({ competence, detailNeed }: SimulatedProfile, words: number): number | null {
  if (detailNeed === undefined) return null;
  return detailNeed.floor + (competence - detailNeed.floor) * Math.min(1, words / detailNeed.words);
}
