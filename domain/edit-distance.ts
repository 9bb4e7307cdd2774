/** Distance of two texts, in words. */

/** A text's words for comparison: lower case, without punctuation at their ends. */
export const comparedWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[.,;:!?"'()]+|[.,;:!?"'()]+$/g, ''))
    .filter((word) => word !== '');

/**
 * Levenshtein distance of two lists: the fewest insertions, deletions and replacements that turn one into the other.
 */
export function editDistance(first: readonly string[], second: readonly string[]): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (const [index, word] of first.entries()) {
    const next = [index + 1];
    for (let at = 0; at < second.length; at += 1) {
      const replaced = (row[at] as number) + (word === second[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row[second.length] as number;
}

/**
 * Words to change over words of the longer text, 0 (same words) to 1 (none in common); 0 for two texts without words.
 */
export function wordDistance(first: string, second: string): number {
  const [a, b] = [comparedWords(first), comparedWords(second)];
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : editDistance(a, b) / longer;
}
