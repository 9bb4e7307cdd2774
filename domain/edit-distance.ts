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
 * than reading it. Lists that are far from each other are compared by bits, whatever their distance.
 * @param most a greater distance needs no exact number: any above `most` is returned, sooner
 */
export function editDistance(first: readonly string[], second: readonly string[], most = Infinity): number {
  const [a, b] = numbered(...withoutCommonEnds(first, second));
  const limit = Math.min(most, Math.max(a.length, b.length));
  const surplus = Math.abs(a.length - b.length);
  if (surplus > most) return most + 1;
  const near = Math.sqrt((a.length * b.length) / pairsPerStep);
  if (surplus > near) return distanceByBits(a, b);
  // By diagonal, column - row: how many items of `a` a path of so many edits reaches at most.
  let reach = new Int32Array(a.length + b.length + 3).fill(unreached);
  let next = Int32Array.from(reach);
  const [start, end] = [a.length + 1, b.length - a.length];
  for (let edits = 0; edits <= limit; edits += 1) {
    if (edits > near) return distanceByBits(a, b);
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

/** Pairs of items that are compared by bits in the time of one step along a diagonal, roughly. */
const pairsPerStep = 64;
const rowsAtOnce = 32;

/**
 * The same distance by the whole table, 32 rows of it at once (Myers 1999; blocks of rows as in Hyyrö 2003).
 * Items are numbers below the sum of both lengths.
 */
function distanceByBits(a: Int32Array, b: Int32Array): number {
  const places = new Int32Array(a.length + b.length);
  // Along the row below those so far: whether the distance grows (1), stays or falls (-1) with each column.
  const steps = new Int8Array(b.length).fill(1);
  for (let from = 0; from < a.length; from += rowsAtOnce) {
    const rows = a.subarray(from, from + rowsAtOnce);
    for (const [place, item] of rows.entries()) places[item] = (places[item] as number) | (1 << place);
    passRows(places, b, steps, 1 << (rows.length - 1));
    for (const item of rows) places[item] = 0;
  }
  return steps.reduce((sum, step) => sum + step, a.length);
}

/**
 * @param places bits of the rows with an item, by item
 * @param steps of the row above; afterwards of the last of these rows, whose bit is `last`
 */
function passRows(places: Int32Array, b: Int32Array, steps: Int8Array, last: number): void {
  // Rows where the distance is greater than in the row above, and where it is less.
  let grows = -1;
  let falls = 0;
  for (let column = 0; column < b.length; column += 1) {
    const above = steps[column] as number;
    const fallsAbove = above < 0 ? 1 : 0;
    const same = places[b[column] as number] as number;
    const free = same | falls;
    const met = same | fallsAbove;
    const kept = (((met & grows) + grows) ^ grows) | met;
    const up = falls | ~(kept | grows);
    const down = grows & kept;
    steps[column] = (up & last) !== 0 ? 1 : (down & last) !== 0 ? -1 : 0;
    const upAbove = (up << 1) | (above > 0 ? 1 : 0);
    grows = (down << 1) | fallsAbove | ~(free | upAbove);
    falls = upAbove & free;
  }
}

/**
 * Words to change over words of the longer text, 0 (same words) to 1 (none in common); 0 for two texts without words.
 */
export function wordDistance(first: string, second: string): number {
  const [a, b] = [comparedWords(first), comparedWords(second)];
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : editDistance(a, b) / longer;
}
