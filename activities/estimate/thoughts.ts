/** How many tokens a model is expected to think per answer: as measured in the run so far, else assumed by effort. */
import { effortOf } from '../../domain/spec/efforts.ts';
import type { Spec, SpecStudy } from '../../schemas/spec.ts';
import type { ReasoningEffort } from '../../schemas/spec/parameters.ts';
import type { Question } from '../../studies/cell-state.ts';

/**
 * Tokens of thoughts per answer where none was measured. The order of magnitude of reasoning models on short tasks of
 * code; models differ by a factor of ten at one effort.
 */
export const assumedThoughts: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 100,
  low: 500,
  medium: 1_500,
  high: 5_000,
  xhigh: 10_000,
  max: 20_000,
};

/** Mean tokens of thoughts of a model's answers in a study so far; null before there are any. */
export type MeanThoughts = (study: string, answeringModel: string) => number | null;

/** What the answers of the run so far say of thoughts. */
export interface KnownThoughts {
  readonly mean: MeanThoughts;
  /** Whether the model is known to think, so that its study's limit on answers is not sent to it. */
  readonly thinks: (answeringModel: string) => boolean;
  /** Whether its endpoint counts more tokens than a call allows, as far as such counts are believed. */
  readonly exceeds: (answeringModel: string) => boolean;
}

export const noThoughts: KnownThoughts = { mean: () => null, thinks: () => false, exceeds: () => false };

/** The effort that a model is asked at; null if no effort is sent. */
export function askedEffort(
  { models }: Pick<Spec, 'models'>,
  study: SpecStudy,
  answeringModel: string,
  asked: Question['asked'],
): ReasoningEffort | null {
  const own = models.find(({ id }) => id === answeringModel)?.parameters?.reasoningEffort ?? null;
  return own ?? (asked === 'study' ? effortOf(study) : null);
}

/** Tokens per answer. */
export const expectedThoughts = (measured: number | null, effort: ReasoningEffort | null): number =>
  measured ?? (effort === null ? 0 : assumedThoughts[effort]);
