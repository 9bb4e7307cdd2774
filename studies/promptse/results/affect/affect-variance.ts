/**
 * RQ4: what valence and arousal explain beyond a variant's length, distance and words, within one model.
 */
import { type AddedVariance, addedVariance } from '../../../../domain/statistics/added-variance.ts';

/** One variant under one model. */
export interface WordedOutcome {
  readonly task: string;
  readonly distance: number;
  /** Measured word edit distance from the original. */
  readonly editDistance: number;
  /** Words of its passages. */
  readonly words: number;
  /** Share of technical terms among them. */
  readonly technicalShare: number;
  readonly valence: number;
  readonly arousal: number;
  /** SoftExec minus that of the original; null without log-probabilities. */
  readonly softDelta: number | null;
  /** Mean over its samples of |confidence - passed|; null without log-probabilities. */
  readonly gap: number | null;
}

export interface AffectVariance {
  readonly softDelta: AddedVariance;
  readonly gap: AddedVariance;
}

export const affectVariance = (variants: readonly WordedOutcome[]): AffectVariance => ({
  softDelta: explained(variants, ({ softDelta }) => softDelta),
  gap: explained(variants, ({ gap }) => gap),
});

function explained(
  variants: readonly WordedOutcome[],
  outcome: (variant: WordedOutcome) => number | null,
): AddedVariance {
  const used = variants.filter((variant) => outcome(variant) !== null);
  const column = (name: string, value: (variant: WordedOutcome) => number) => ({ name, values: used.map(value) });
  return addedVariance(
    used.map((variant) => outcome(variant) as number),
    [
      column('words', ({ words }) => words),
      column('edit distance', ({ editDistance }) => editDistance),
      column('share of technical terms', ({ technicalShare }) => technicalShare),
      column('distance', ({ distance }) => distance),
    ],
    [column('valence', ({ valence }) => valence), column('arousal', ({ arousal }) => arousal)],
    used.map(({ task }) => task),
  );
}
