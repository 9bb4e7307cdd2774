import { describe, expect, it } from 'vitest';
import { isAtOrBelow, orderedPairs, positions } from '../../../studies/specificity/poset.ts';

const paper = {
  wordLimits: [10, 25, 50, 75, 100, 150, 200],
  ratios: [0.2, 0.4, 0.6, 0.8],
  maskRatios: [0.2, 0.4, 0.6, 0.8],
  draws: 4,
};
const all = positions(paper);
const at = (variant: string) => {
  const found = all.find((position) => position.variant === variant);
  if (found === undefined) throw new Error(`no ${variant}`);
  return found;
};
const below = (lower: string, upper: string): boolean => isAtOrBelow(at(lower), at(upper));

describe('prompts of a task', () => {
  it("are the paper's 41 and the original, each once", () => {
    expect(all).toHaveLength(42);
    expect(new Set(all.map(({ variant }) => variant)).size).toBe(42);
    const counts = Map.groupBy(all, ({ augmentation }) => augmentation);
    expect([...counts].map(([name, group]) => [name, group.length])).toEqual([
      ['minimal', 1],
      ['summary', 7],
      ['paragraphs', 16],
      ['mask', 16],
      ['maximal', 1],
      ['original', 1],
    ]);
  });
});

describe('order', () => {
  it('is reflexive, antisymmetric and transitive over all prompts, by brute force', () => {
    for (const a of all) {
      expect(isAtOrBelow(a, a)).toBe(true);
      for (const b of all) {
        if (a !== b && isAtOrBelow(a, b)) expect(isAtOrBelow(b, a)).toBe(false);
        for (const c of all) if (isAtOrBelow(a, b) && isAtOrBelow(b, c)) expect(isAtOrBelow(a, c)).toBe(true);
      }
    }
  });

  it('rises with word limit and kept share, and falls with masked share', () => {
    expect(below('summary-10', 'summary-200')).toBe(true);
    expect(below('paragraphs-0.2-3', 'paragraphs-0.4-1')).toBe(true);
    expect(below('mask-0.8-1', 'mask-0.2-4')).toBe(true);
    expect(below('mask-0.2-1', 'mask-0.8-1')).toBe(false);
  });

  it('leaves draws of one level, other augmentations and the original incomparable', () => {
    for (const [a, b] of [
      ['paragraphs-0.2-1', 'paragraphs-0.2-2'],
      ['mask-0.4-1', 'mask-0.4-3'],
      ['summary-10', 'paragraphs-0.8-1'],
      ['mask-0.8-1', 'summary-200'],
      ['minimal', 'original'],
      ['original', 'maximal'],
    ] as const) {
      expect(below(a, b)).toBe(false);
      expect(below(b, a)).toBe(false);
    }
  });

  it('has 292 pairs by hand: 1 x 40 from minimal, 39 to maximal, 21 of summaries, 6 x 16 of each drawn one', () => {
    const pairs = orderedPairs(all);
    expect(pairs).toHaveLength(40 + 39 + 21 + 96 + 96);
    expect(pairs.every(([lower, upper]) => lower !== upper)).toBe(true);
  });
});
