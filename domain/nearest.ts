/** The name that a person most likely meant. */

/**
 * A candidate at an edit distance of 1; else the first that begins with the word (of at least three letters); else the
 * one at the smallest distance, if that is at most a third of the word's length (or 2); undefined otherwise.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const allowed = Math.max(2, Math.floor(word.length / 3));
  const [first] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  if (first !== undefined && first.distance <= 1) return first.candidate;
  const begun = word.length < 3 ? undefined : candidates.find((candidate) => candidate.startsWith(word));
  return begun ?? first?.candidate;
}

/** Hint for an unknown name: the nearest known name, or all known names. */
export function knownHint(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  return guess === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${guess}"?`;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] as number) + 1, (current[j - 1] as number) + 1));
    }
    previous = current;
  }
  return previous[b.length] as number;
}
