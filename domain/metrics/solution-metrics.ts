/** The metrics of solutions, by their names in tables and policies. */
import type { Direction } from '../statistics/tests/version-verdict.ts';

export interface SolutionMetric {
  /** For people. */
  readonly title: string;
  /** Which direction is good, unless a policy says otherwise. */
  readonly direction: Direction;
  /** Of its values, differences and margins. */
  readonly unit: '%' | 'per 10 lines' | 'ms';
  /** A value is `scale` times the sum of numerators over the sum of denominators. */
  readonly scale: number;
}

export const solutionMetrics = {
  pass_at_1: { title: 'pass@1', direction: 'higher', unit: '%', scale: 100 },
  code_smell: { title: 'code smells', direction: 'lower', unit: 'per 10 lines', scale: 10 },
  unreadability: { title: 'unreadability', direction: 'lower', unit: 'per 10 lines', scale: 10 },
  exception_handling: { title: 'exception handling', direction: 'higher', unit: 'per 10 lines', scale: 10 },
  wall_ms: { title: 'wall time', direction: 'lower', unit: 'ms', scale: 1 },
  cpu_ms: { title: 'processor time', direction: 'lower', unit: 'ms', scale: 1 },
  wall_ms_passing: { title: 'wall time of passing programs', direction: 'lower', unit: 'ms', scale: 1 },
  cpu_ms_passing: { title: 'processor time of passing programs', direction: 'lower', unit: 'ms', scale: 1 },
} as const satisfies Readonly<Record<string, SolutionMetric>>;

/** A share of answers: of one that could not be judged it is known only that it passes or fails. */
export const isShare = (name: SolutionMetricName): boolean => solutionMetrics[name].unit === '%';

export type SolutionMetricName = keyof typeof solutionMetrics;
export const solutionMetricNames = Object.keys(solutionMetrics) as [SolutionMetricName, ...SolutionMetricName[]];
