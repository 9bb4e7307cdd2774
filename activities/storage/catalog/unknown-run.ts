import { nearest } from '../../../domain/nearest.ts';

/** What is said of a run that a store does not have. @param known ids of its runs */
export function unknownRun(id: string, store: string, known: readonly string[]): string {
  const guess = nearest(id, known);
  const hint =
    guess !== undefined
      ? `did you mean "${guess}"?`
      : known.length === 0
        ? 'it has no runs yet'
        : `it has: ${known.join(', ')}`;
  return `no run "${id}" in ${store}; ${hint}`;
}
