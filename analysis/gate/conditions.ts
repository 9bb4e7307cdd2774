/** Under which conditions a study's answers are compared, as its settings say: what a gate's policy may name. */
import type { GateSubject } from '../../domain/gate/evaluate.ts';
import type { GateMetricName } from '../../domain/gate/metrics.ts';

export interface GateConditions {
  readonly metrics: readonly GateMetricName[];
  /** Dimensions and workflows of these metrics in `gate`; each metric has at least one of both. */
  readonly conditions: readonly Pick<GateSubject, 'dimension' | 'workflow'>[];
}

/** Of answers to unchanged prompts. */
export const functionOnly = (...metrics: readonly GateMetricName[]): GateConditions => ({
  metrics,
  conditions: [{ dimension: 'function-only', workflow: 'function-only' }],
});

/** As `plainSubject` has them: a study without workflows. */
export const byDimension = (metrics: readonly GateMetricName[], dimensions: readonly string[]): GateConditions => ({
  metrics,
  conditions: dimensions.map((dimension) => ({ dimension, workflow: dimension })),
});
