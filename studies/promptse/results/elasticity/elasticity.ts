/**
 * Elasticity of one task at one distance (PromptSE, equations 4 and 5), and its expectation if wording changed nothing.
 */
import { type Answers, meanDifference, meanDifferenceWithin } from './dealt-answers.ts';

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Equation 4: 1 - mean over the variants of |score of the original - score of the variant|. Null without variants. */
export function elasticityFull(original: number, variants: readonly number[]): number | null {
  return variants.length === 0 ? null : 1 - mean(variants.map((score) => Math.abs(original - score)));
}

/**
 * Equation 5 (PromptSELight): 1 - |pass rate of the original - mean pass rate of the variants|. Null without variants.
 */
export function elasticityLight(original: number, variants: readonly number[]): number | null {
  return variants.length === 0 ? null : 1 - Math.abs(original - mean(variants));
}

/**
 * The noise floor of equation 4: 1 - mean |difference| over all pairs of independent draws of the original's score. An
 * unbiased estimate of the elasticity of a model whose answers do not depend on wording. Null for fewer than two draws.
 */
export function floorFull(draws: readonly number[]): number | null {
  const differences = draws.flatMap((first, index) => draws.slice(index + 1).map((second) => Math.abs(first - second)));
  return differences.length === 0 ? null : 1 - mean(differences);
}

/** What the light method compares, of one task and distance. */
export interface LightAnswers {
  /** The first set of answers to the original, with which the variants are compared. */
  readonly baseline: Answers;
  /** All answers to the original, of every set. */
  readonly originals: Answers;
  /** The answers to all variants together. */
  readonly variants: Answers;
}

export interface LightExcess {
  readonly excess: number;
  /** Number of answers on the other side, in both differences. */
  readonly samples: number;
}

/**
 * Equation 5 over its noise floor. Of the answers to the original, two sets without a common answer are compared: one
 * of the baseline's size m, and one of k answers, as many as the others are, but not more than the variants have. The
 * excess is their mean |difference|, minus that of the baseline and k answers to the variants: the same sizes on both
 * sides, so its expectation is 0 for answers that do not depend on wording, whatever their number. Null if all answers
 * to the original are the baseline's.
 */
export function excessLight({ baseline, originals, variants }: LightAnswers): LightExcess | null {
  const samples = Math.min(originals.count - baseline.count, variants.count);
  if (samples < 1) return null;
  const byChance = meanDifferenceWithin(originals, baseline.count, samples);
  return { excess: byChance - meanDifference(baseline, variants, samples), samples };
}
