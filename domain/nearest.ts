/** The name that a person most likely meant. */

/**
 * The candidate with the smallest edit distance, if that is at most a third of the word's length (or 2); else the first
 * candidate that begins with the word (of at least three letters); undefined otherwise.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const allowed = Math.max(2, Math.floor(word.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return (
    ranked[0]?.candidate ?? (word.length < 3 ? undefined : candidates.find((candidate) => candidate.startsWith(word)))
  );
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
