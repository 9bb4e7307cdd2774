/** Variants that say nearly the same as another one: the same words, or fewer than two in a hundred apart. */
import { comparedWords, editDistance } from '../../domain/edit-distance.ts';

/** Word edit distance below which two texts count as the same, as a share of the longer one's words. */
const sameWithin = 0.02;

export interface SeenTexts {
  /** True when the text is like one that was added; otherwise adds it. */
  isDuplicate(text: string): boolean;
}

/** @param original counts as seen */
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
  return surplus(first, second) <= most && surplus(second, first) <= most && editDistance(first, second) <= most;
}

/** Words that `first` has more often than `second`: never more than the edit distance, and far cheaper. */
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
