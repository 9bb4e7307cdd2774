/**
 * Paragraph sampling and sentence-block masking of a maximal description (section 3.3): reduces detail without a model.
 */
import { seedOf, uniform } from '../../domain/random.ts';
import { paragraphsOf, sentencesOf, withoutSentences } from './units.ts';

/** A reduced description, or the reason why there is none. */
export type Reduced = { readonly text: string; readonly fault: null } | { readonly text: null; readonly fault: string };

/**
 * `draws` subsets of max(1, round(ratio n)) of the n paragraphs, in their order. Subsets repeat only after all possible
 * ones were drawn. The same seed gives the same subsets.
 */
export function sampledParagraphs(description: string, ratio: number, draws: number, seed: number): Reduced[] {
  const paragraphs = paragraphsOf(description);
  if (paragraphs.length === 0)
    return Array.from({ length: draws }, () => ({ text: null, fault: 'the description is empty' }));
  const kept = Math.max(1, Math.round(ratio * paragraphs.length));
  return distinctSubsets(paragraphs.length, kept, draws, seedOf('paragraphs', seed, ratio)).map((subset) => ({
    text: subset.map((index) => paragraphs[index]).join('\n\n'),
    fault: null,
  }));
}

function distinctSubsets(n: number, size: number, draws: number, seed: number): number[][] {
  const next = uniform(seed);
  const possible = combinations(n, size);
  const subsets: number[][] = [];
  let seen = new Set<string>();
  while (subsets.length < draws) {
    const subset = drawSubset(n, size, next);
    if (seen.has(subset.join())) continue;
    subsets.push(subset);
    seen.add(subset.join());
    if (seen.size === possible) seen = new Set();
  }
  return subsets;
}

/** Selection sampling (Knuth 3.4.2 S): every subset is equally likely; indices are in order. */
function drawSubset(n: number, size: number, next: () => number): number[] {
  const subset: number[] = [];
  for (let index = 0; index < n; index += 1) if ((n - index) * next() < size - subset.length) subset.push(index);
  return subset;
}

function combinations(n: number, size: number): number {
  let count = 1;
  for (let index = 1; index <= size; index += 1) count = (count * (n - size + index)) / index;
  return Math.round(count);
}

/**
 * The description without a block of round(ratio n) of its n sentences (at least 1, at most n - 1), once for each of
 * `starts` evenly spaced positions of the block: round(k (n - block) / (starts - 1)), k = 0 .. starts - 1.
 */
export function maskedSentences(description: string, ratio: number, starts: number): Reduced[] {
  const sentences = sentencesOf(description);
  const n = sentences.length;
  if (n < 2)
    return Array.from({ length: starts }, () => ({
      text: null,
      fault: 'the maximal description has one sentence only',
    }));
  const block = Math.min(n - 1, Math.max(1, Math.round(ratio * n)));
  return Array.from({ length: starts }, (_, k) => {
    const from = starts === 1 ? 0 : Math.round((k * (n - block)) / (starts - 1));
    return { text: withoutSentences(description, sentences, from, from + block), fault: null };
  });
}
