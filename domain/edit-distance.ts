/** Distance of two texts, in words. */

/** A text's words for comparison: lower case, without punctuation at their ends. */
export const comparedWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (isBare(word) ? word : word.replace(/^[.,;:!?"'()]+|[.,;:!?"'()]+$/g, '')))
    .filter((word) => word !== '');

/** Most words have no punctuation at their ends. */
const isBare = (word: string): boolean =>
  !punctuation.includes(word.charAt(0)) && !punctuation.includes(word.slice(-1));
const punctuation = '.,;:!?"\'()';

/**
 * Levenshtein distance of two lists: the fewest insertions, deletions and replacements that turn one into the other.
 * Takes (shorter list + distance^2) steps (Ukkonen 1985): a prompt of 20,000 words with a few changes takes no longer
 * than reading it.
 * @param most a greater distance needs no exact number: any above `most` is returned, sooner
 */
export function editDistance(first: readonly string[], second: readonly string[], most = Infinity): number {
  const [a, b] = numbered(...withoutCommonEnds(first, second));
  const limit = Math.min(most, Math.max(a.length, b.length));
  // By diagonal, column - row: how many items of `a` a path of so many edits reaches at most.
  let reach = new Int32Array(a.length + b.length + 3).fill(unreached);
  let next = Int32Array.from(reach);
  const [start, end] = [a.length + 1, b.length - a.length];
  for (let edits = 0; edits <= limit; edits += 1) {
    // Each further diagonal away from the last one costs an edit.
    const left = limit - edits;
    const lowest = Math.max(-edits, -a.length, Math.ceil(end - left));
    const highest = Math.min(edits, b.length, end + left);
    for (let diagonal = lowest; diagonal <= highest; diagonal += 1) {
      const place = start + diagonal;
      const replaced = (reach[place] as number) + 1;
      const inserted = reach[place - 1] as number;
      const deleted = (reach[place + 1] as number) + 1;
      const row = edits === 0 ? 0 : Math.max(replaced, inserted, deleted);
      next[place] = alike(a, b, Math.min(row, a.length, b.length - diagonal), diagonal);
    }
    if (next[start + end] === a.length) return edits;
    [reach, next] = [next, reach];
  }
  return most + 1;
}

const unreached = -2;

/** The row at which the items along a diagonal differ, from `row` on. */
function alike(a: Int32Array, b: Int32Array, row: number, diagonal: number): number {
  let end = row;
  while (end < a.length && end + diagonal < b.length && a[end] === b[end + diagonal]) end += 1;
  return end;
}

/** The middle of two lists that begin and end alike, as most lists do here. */
function withoutCommonEnds(
  first: readonly string[],
  second: readonly string[],
): [readonly string[], readonly string[]] {
  const shorter = Math.min(first.length, second.length);
  let start = 0;
  while (start < shorter && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  return [first.slice(start, first.length - end), second.slice(start, second.length - end)];
}

/** The same number for the same item. */
function numbered(first: readonly string[], second: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (item: string): number => {
    const known = numbers.get(item) ?? numbers.size;
    numbers.set(item, known);
    return known;
  };
  return [Int32Array.from(first, numberOf), Int32Array.from(second, numberOf)];
}

/**
 * Words to change over words of the longer text, 0 (same words) to 1 (none in common); 0 for two texts without words.
 */
export function wordDistance(first: string, second: string): number {
  const [a, b] = [comparedWords(first), comparedWords(second)];
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : editDistance(a, b) / longer;
}
