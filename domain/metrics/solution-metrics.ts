/** The metrics of solutions, by their names in tables and policies. */
import type { Direction } from '../statistics/tests/version-verdict.ts';

export interface SolutionMetric {
  /** Which direction is good, unless a policy says otherwise. */
  readonly direction: Direction;
  /** Of its values, differences and margins. */
  readonly unit: '%' | 'per 10 lines' | 'ms';
  /** A value is `scale` times the sum of numerators over the sum of denominators. */
  readonly scale: number;
}

export const solutionMetrics = {
  pass_at_1: { direction: 'higher', unit: '%', scale: 100 },
  code_smell: { direction: 'lower', unit: 'per 10 lines', scale: 10 },
  unreadability: { direction: 'lower', unit: 'per 10 lines', scale: 10 },
  exception_handling: { direction: 'higher', unit: 'per 10 lines', scale: 10 },
  wall_ms: { direction: 'lower', unit: 'ms', scale: 1 },
  cpu_ms: { direction: 'lower', unit: 'ms', scale: 1 },
  wall_ms_passing: { direction: 'lower', unit: 'ms', scale: 1 },
  cpu_ms_passing: { direction: 'lower', unit: 'ms', scale: 1 },
} as const satisfies Readonly<Record<string, SolutionMetric>>;

export type SolutionMetricName = keyof typeof solutionMetrics;
export const solutionMetricNames = Object.keys(solutionMetrics) as [SolutionMetricName, ...SolutionMetricName[]];
