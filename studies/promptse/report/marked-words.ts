/** Marks the words of a text that another text does not have. */
import type { DataCell } from '../../../analysis/report/part.ts';

/** The second text, with all words marked that are not in a longest common subsequence with the first. */
export function markedWords(first: string, second: string): NonNullable<DataCell['pieces']> {
  const [before, after] = [first.split(/(\s+)/), second.split(/(\s+)/)];
  const kept = keptOf(before, after);
  return after.map((text, index) => ({ text, marked: !kept.has(index) && text.trim() !== '' }));
}

/** Pairs of words and gaps that are compared at most, a bit of memory each: two texts of 150 kB have as many. */
const mostPairs = 2 ** 31;

/**
 * Indices of `after` that belong to a longest common subsequence; of longer texts only those of their common beginning.
 */
function keptOf(before: readonly string[], after: readonly string[]): Set<number> {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  const kept = new Set(Array.from({ length: start }, (_, index) => index));
  const [rows, columns] = [before.slice(start), after.slice(start)];
  if (rows.length * columns.length > mostPairs) return kept;
  const table = commonLengths(rows, columns);
  let [i, j] = [0, 0];
  // Lengths for the rest of both texts, and for the rest without the first one's next word.
  let [here, below] = [table.length(0, 0), table.length(1, 0)];
  while (i < rows.length && j < columns.length) {
    const isSame = rows[i] === columns[j];
    const right = here - table.step(i, j);
    if (isSame) kept.add(start + j);
    if (!isSame && below < right) {
      [here, below] = [right, below - table.step(i + 1, j)];
      j += 1;
      continue;
    }
    i += 1;
    if (isSame) j += 1;
    [here, below] = [table.length(i, j), table.length(i + 1, j)];
  }
  return kept;
}

interface CommonLengths {
  /** Length of a longest common subsequence of the rows from `i` and the columns from `j` on. */
  length(i: number, j: number): number;
  /** How much longer that is than from the next column on: 0 or 1. */
  step(i: number, j: number): number;
}

/** All lengths, 32 columns at once: a bit is 0 where a column adds 1 to its row (Hyyrö 2004). From the ends on. */
function commonLengths(rows: readonly string[], columns: readonly string[]): CommonLengths {
  const words = Math.ceil(columns.length / 32);
  const bits = new Int32Array((rows.length + 1) * words).fill(-1, rows.length * words);
  const placesOf = Map.groupBy(columns.keys(), (column) => columns[column] ?? '');
  const masks = new Map<string, Int32Array>();
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const item = rows[i] ?? '';
    const mask = masks.get(item) ?? maskOf(placesOf.get(item) ?? [], columns.length, words);
    masks.set(item, mask);
    addRow(bits, i * words, (i + 1) * words, mask);
  }
  const bitAt = (j: number): number => columns.length - 1 - j;
  return {
    length: (i, j) => (i < rows.length ? zerosBefore(bits, i * words, columns.length - j) : 0),
    step: (i, j) =>
      i < rows.length ? 1 - (((bits[i * words + (bitAt(j) >> 5)] as number) >>> (bitAt(j) & 31)) & 1) : 0,
  };
}

/** The last column has the first bit. */
function maskOf(places: readonly number[], columns: number, words: number): Int32Array {
  const mask = new Int32Array(words);
  for (const place of places) {
    const bit = columns - 1 - place;
    mask[bit >> 5] = (mask[bit >> 5] as number) | (1 << (bit & 31));
  }
  return mask;
}

/** Writes the row at `to` from the one at `from`: (row + (row & mask)) | (row & ~mask). */
function addRow(bits: Int32Array, to: number, from: number, mask: Int32Array): void {
  let carry = 0;
  for (let word = 0; word < mask.length; word += 1) {
    const row = bits[from + word] as number;
    const same = row & (mask[word] as number);
    const sum = (((row + same) | 0) + carry) | 0;
    // `same` has no bit that `row` lacks.
    carry = (same | (row & ~sum)) >>> 31;
    bits[to + word] = sum | (row & ~same);
  }
}

/** Number of zeros among the first `count` bits of the row at `from`. */
function zerosBefore(bits: Int32Array, from: number, count: number): number {
  let zeros = 0;
  for (let word = 0; word * 32 < count; word += 1) {
    const left = count - word * 32;
    const inverse = ~(bits[from + word] as number);
    zeros += onesIn(left >= 32 ? inverse : inverse & ((1 << left) - 1));
  }
  return zeros;
}

function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
