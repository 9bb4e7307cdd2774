/**
 * What a gate can judge, by the names in policies (docs/ci.md has their meaning): direction, unit, and how tasks are
 * told.
 */
import { type SolutionMetricName, solutionMetricNames, solutionMetrics } from '../metrics/solution-metrics.ts';
import type { Direction } from '../statistics/version-verdict.ts';

export interface GateMetric {
  /** Which way is good, unless a policy says otherwise. */
  readonly direction: Direction;
  /** Of values, differences and margins. */
  readonly unit: string;
  /** Names the tasks that became better or worse: where a task's value has few levels. */
  readonly namesTasks?: boolean;
  /** Its margin is in percent already, or counts levels: `marginPercent` says nothing more. */
  readonly noPercent?: boolean;
}

/** The geometric mean over tasks of new / old, less 1. */
const timeRatio: GateMetric = { direction: 'lower', unit: '% of time', noPercent: true };

/** Metrics that are not among those of solutions. */
const others = {
  wall_ratio: timeRatio,
  cpu_ratio: timeRatio,
  wall_ratio_passing: timeRatio,
  cpu_ratio_passing: timeRatio,
  asl: { direction: 'higher', unit: 'loops' },
  asl_unweighted: { direction: 'higher', unit: 'loops', namesTasks: true },
  chain_score: { direction: 'higher', unit: 'steps', namesTasks: true },
  auc_e_normalized: { direction: 'higher', unit: '0 to 1' },
  auc_e_excess: { direction: 'higher', unit: 'of 2/3' },
  pass_at_detail: { direction: 'higher', unit: '%', namesTasks: true },
  sufficient_detail: { direction: 'lower', unit: 'levels', noPercent: true },
} as const satisfies Readonly<Record<string, GateMetric>>;

export type GateMetricName = SolutionMetricName | keyof typeof others;
export const gateMetricNames = [...solutionMetricNames, ...Object.keys(others)] as [GateMetricName, ...GateMetricName[]];

export function gateMetric(name: GateMetricName): GateMetric {
  if (name in others) return others[name as keyof typeof others];
  return { ...solutionMetrics[name as SolutionMetricName], namesTasks: name === 'pass_at_1' };
}
