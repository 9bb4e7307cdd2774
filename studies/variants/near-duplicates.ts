/** Finds variants that are nearly equal to another one: at most 2 % of the words differ. */
import { comparedWords, editDistance } from '../../domain/edit-distance.ts';

/** Word edit distance up to which two texts count as equal, as a share of the longer one's words. */
const sameWithin = 0.02;

export interface SeenTexts {
  /** Returns true if the text is nearly equal to an added one; otherwise adds it. */
  isDuplicate(text: string): boolean;
}

/** @param original is added as the first text */
export function createSeenTexts(original: string): SeenTexts {
  const seen: string[][] = [comparedWords(original)];
  return {
    isDuplicate(text) {
      const words = comparedWords(text);
      if (seen.some((other) => areAlike(words, other))) return true;
      seen.push(words);
      return false;
    },
  };
}

function areAlike(first: readonly string[], second: readonly string[]): boolean {
  const most = sameWithin * Math.max(first.length, second.length);
  return surplus(first, second) <= most && surplus(second, first) <= most && editDistance(first, second, most) <= most;
}

/** Number of words that `first` has more often than `second`: a lower bound of the edit distance, and much faster. */
function surplus(first: readonly string[], second: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of second) counts.set(word, (counts.get(word) ?? 0) + 1);
  let more = 0;
  for (const word of first) {
    const left = counts.get(word) ?? 0;
    if (left === 0) more += 1;
    else counts.set(word, left - 1);
  }
  return more;
}
