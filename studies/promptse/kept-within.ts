/** Whether rewritten passages stay within a distance of the original, for thousands of changes of a long prompt. */
import { comparedWords, editDistance } from '../../domain/edit-distance.ts';

/** Whether passages stay within the distance; if so, the next ones are compared with them. */
export type KeptWithin = (moved: readonly string[]) => boolean;

/**
 * The same answers as `wordDistance(original, moved) <= distance`. A change adds at most its own words to the distance,
 * and a word that one text has more often than the other needs an edit: mostly one of these two bounds decides, and
 * only what changed of a passage is read. Of an original of more than `mostExact` words the first bound decides alone:
 * all that is kept is within the distance, and a prompt of 20,000 words takes a second, not an hour.
 * @param start passages as they are before the first change; all later ones have as many
 */
export function keptWithin(original: readonly string[], distance: number, start: readonly string[]): KeptWithin {
  const before = original.flatMap(comparedWords);
  const isExact = before.length <= mostExact;
  const surplus = surplusOf(before, start.flatMap(comparedWords));
  let texts = start;
  let edits = editDistance(before, start.flatMap(comparedWords));
  return (moved) => {
    const changes = moved.flatMap((text, place) => (text === texts[place] ? [] : [changeOf(texts[place] ?? '', text)]));
    for (const { old, now } of changes) surplus.replace(old, now);
    const longer = Math.max(before.length, surplus.words());
    const isNear = (edited: number): boolean => longer === 0 || edited / longer <= distance;
    let most = edits + changes.reduce((sum, { old, now }) => sum + editDistance(old, now), 0);
    if (!isNear(most) && isExact && isNear(surplus.least()))
      most = editDistance(before, moved.flatMap(comparedWords), Math.ceil(distance * longer) + 1);
    if (isNear(most)) [texts, edits] = [moved, most];
    else for (const { old, now } of changes) surplus.replace(now, old);
    return isNear(most);
  };
}

interface Change {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** The words between what a passage's two texts have in common at their ends: a long passage changes in few places. */
function changeOf(old: string, now: string): Change {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old.charCodeAt(start) === now.charCodeAt(start)) start += 1;
  while (start > 0 && !isSpace(old, start - 1)) start -= 1;
  let end = 0;
  while (end < shorter - start && old.charCodeAt(old.length - 1 - end) === now.charCodeAt(now.length - 1 - end))
    end += 1;
  while (end > 0 && !isSpace(old, old.length - end)) end -= 1;
  return {
    old: comparedWords(old.slice(start, old.length - end)),
    now: comparedWords(now.slice(start, now.length - end)),
  };
}

const isSpace = (text: string, place: number): boolean => /\s/.test(text.charAt(place));

/** Words of the original. */
const mostExact = 2_000;

interface Surplus {
  replace(old: readonly string[], now: readonly string[]): void;
  /** Words of the second text. */
  words(): number;
  /** A lower bound of the edits between the texts. */
  least(): number;
}

/** How many words either text has more often than the other one. */
function surplusOf(first: readonly string[], second: readonly string[]): Surplus {
  const balance = new Map<string, number>();
  let [more, fewer, count] = [0, 0, 0];
  const add = (word: string, by: 1 | -1): void => {
    const [was, is] = [balance.get(word) ?? 0, (balance.get(word) ?? 0) + by];
    balance.set(word, is);
    more += Math.max(0, is) - Math.max(0, was);
    fewer += Math.max(0, -is) - Math.max(0, -was);
  };
  const replace = (old: readonly string[], now: readonly string[]): void => {
    for (const word of old) add(word, -1);
    for (const word of now) add(word, 1);
    count += now.length - old.length;
  };
  for (const word of first) add(word, -1);
  replace([], second);
  return { replace, words: () => count, least: () => Math.max(more, fewer) };
}
