/**
 * The prompts of a task and their partial order (sections 3.2 and 3.3) as data:
 * names, levels, and which is below which.
 */

export const augmentations = ['minimal', 'summary', 'paragraphs', 'mask', 'maximal', 'original'] as const;
export type Augmentation = (typeof augmentations)[number];

/** The settings that determine the levels. */
export interface PosetShape {
  /** Word limits of the summaries, one prompt each. */
  readonly wordLimits: readonly number[];
  /** Shares of paragraphs to keep. */
  readonly ratios: readonly number[];
  /** Shares of sentences to mask. */
  readonly maskRatios: readonly number[];
  /** Draws at each ratio, and block positions at each mask ratio. */
  readonly draws: number;
}

export interface Position {
  /** Name in the cell key: `summary-25`, `paragraphs-0.2-1`, `mask-0.8-4`. */
  readonly variant: string;
  readonly augmentation: Augmentation;
  /** Word limit, share of paragraphs kept, or share of sentences masked; null for minimal, maximal and original. */
  readonly level: number | null;
  /** From 1; null if a level has only one prompt. */
  readonly draw: number | null;
}

const single = (augmentation: 'minimal' | 'maximal' | 'original'): Position => ({
  variant: augmentation,
  augmentation,
  level: null,
  draw: null,
});

/** All prompts of a task, from minimal to maximal, with the original last: 42 with the paper's levels. */
export function positions({ wordLimits, ratios, maskRatios, draws }: PosetShape): Position[] {
  const drawn = (augmentation: 'paragraphs' | 'mask', level: number): Position[] =>
    Array.from({ length: draws }, (_, index) => ({
      variant: `${augmentation}-${level}-${index + 1}`,
      augmentation,
      level,
      draw: index + 1,
    }));
  const summary = (level: number): Position => ({
    variant: `summary-${level}`,
    augmentation: 'summary',
    level,
    draw: null,
  });
  return [
    single('minimal'),
    ...wordLimits.map(summary),
    ...ratios.flatMap((ratio) => drawn('paragraphs', ratio)),
    ...maskRatios.flatMap((ratio) => drawn('mask', ratio)),
    single('maximal'),
    single('original'),
  ];
}

/**
 * Whether a prompt has at most as much detail as another. Minimal and maximal are comparable with all augmentations.
 * Within one augmentation the level decides, so draws of one level are not comparable.
 * The original is comparable only with itself.
 */
export function isAtOrBelow(lower: Position, upper: Position): boolean {
  if (lower.variant === upper.variant) return true;
  if (lower.augmentation === 'original' || upper.augmentation === 'original') return false;
  if (lower.augmentation === 'minimal' || upper.augmentation === 'maximal') return true;
  if (lower.augmentation !== upper.augmentation || lower.level === null || upper.level === null) return false;
  return lower.augmentation === 'mask' ? lower.level > upper.level : lower.level < upper.level;
}

/** All pairs of prompts in which the first is below the second. */
export function orderedPairs(all: readonly Position[]): [lower: Position, upper: Position][] {
  return all.flatMap((lower) =>
    all
      .filter((upper) => upper !== lower && isAtOrBelow(lower, upper))
      .map((upper): [Position, Position] => [lower, upper]),
  );
}
