/** Marks the words of a text that another text does not have. */
import type { DataCell } from '../../../analysis/report/part.ts';

/** The second text, with all words marked that are not in a longest common subsequence with the first. */
export function markedWords(first: string, second: string): NonNullable<DataCell['pieces']> {
  const [before, after] = [first.split(/(\s+)/), second.split(/(\s+)/)];
  const kept = keptOf(before, after);
  return after.map((text, index) => ({ text, marked: !kept.has(index) && text.trim() !== '' }));
}

/** Indices of `after` that belong to a longest common subsequence. */
function keptOf(before: readonly string[], after: readonly string[]): Set<number> {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [down, right, both] = [
        lengths[(i + 1) * width + j] ?? 0,
        lengths[i * width + j + 1] ?? 0,
        lengths[(i + 1) * width + j + 1] ?? 0,
      ];
      lengths[i * width + j] = before[i] === after[j] ? both + 1 : Math.max(down, right);
    }
  const kept = new Set<number>();
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (before[i] === after[j]) {
      kept.add(j);
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return kept;
}
