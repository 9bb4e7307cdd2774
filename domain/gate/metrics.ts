/** The metrics that a gate can judge, by their names in policies (docs/ci.md explains them). */
import { type SolutionMetricName, solutionMetricNames, solutionMetrics } from '../metrics/solution-metrics.ts';
import type { Direction } from '../statistics/tests/version-verdict.ts';

export interface GateMetric {
  /** For people. */
  readonly title: string;
  /** Which direction is good, unless a policy says otherwise. */
  readonly direction: Direction;
  /** Of values, differences and margins. */
  readonly unit: string;
  /** Of the old and the new value, if it is not `unit`. */
  readonly valueUnit?: string;
  /** Tasks that became better or worse are named: useful if a task's value has few levels. */
  readonly namesTasks?: boolean;
  /** `marginPercent` is not allowed: the margin is in percent already, or counts levels. */
  readonly noPercent?: boolean;
  /** The least and the most that a value can be; absent if a change is no difference of values. */
  readonly range?: readonly [number, number];
}

/** The geometric mean over tasks of new / old, minus 1, of programs that pass on all sides, whatever the name. */
const timeRatio = { direction: 'lower', unit: '% of time', valueUnit: 'ms', noPercent: true } as const;

const fromZero = [0, Infinity] as const;
const percent = [0, 100] as const;

/** Metrics other than those of solutions. */
const others = {
  wall_ratio: { title: 'change of wall time', ...timeRatio },
  cpu_ratio: { title: 'change of processor time', ...timeRatio },
  wall_ratio_passing: { title: 'change of wall time, passing programs', ...timeRatio },
  cpu_ratio_passing: { title: 'change of processor time, passing programs', ...timeRatio },
  asl: { title: 'ASL', direction: 'higher', unit: 'loops', range: fromZero },
  asl_unweighted: { title: 'ASL, s = 1', direction: 'higher', unit: 'loops', range: fromZero, namesTasks: true },
  chain_score: { title: 'chain score', direction: 'higher', unit: 'steps', range: fromZero, namesTasks: true },
  auc_e_normalized: { title: 'AUC-E, normalised', direction: 'higher', unit: '0 to 1', range: [0, 1] },
  auc_e_excess: { title: 'AUC-E above its floor', direction: 'higher', unit: 'of 2/3' },
  pass_at_detail: { title: 'pass@1 by detail', direction: 'higher', unit: '%', range: percent, namesTasks: true },
  sufficient_detail: { title: 'least sufficient detail', direction: 'lower', unit: 'levels', noPercent: true },
} as const satisfies Readonly<Record<string, GateMetric>>;

export type GateMetricName = SolutionMetricName | keyof typeof others;
export const gateMetricNames = [...solutionMetricNames, ...Object.keys(others)] as [
  GateMetricName,
  ...GateMetricName[],
];

export function gateMetric(name: GateMetricName): GateMetric {
  if (name in others) return others[name as keyof typeof others];
  const metric = solutionMetrics[name as SolutionMetricName];
  return { ...metric, namesTasks: name === 'pass_at_1', range: metric.unit === '%' ? percent : fromZero };
}

/** Whether it is a time of programs, wall or processor: what else the machine did meanwhile changes it. */
export function isTime(name: GateMetricName): boolean {
  const { unit, valueUnit = unit } = gateMetric(name);
  return valueUnit === 'ms';
}

/** Whether its values come from programs that were run, not from their text alone. */
export const needsRuns = (name: GateMetricName): boolean => gateMetric(name).unit !== 'per 10 lines';

/** The most that a version can be worse than the old value, in the metric's unit; Infinity if nothing limits it. */
export function largestLoss(name: GateMetricName, good: Direction, old: number): number {
  const { range } = gateMetric(name);
  if (range === undefined) return Infinity;
  return good === 'higher' ? old - range[0] : range[1] - old;
}
