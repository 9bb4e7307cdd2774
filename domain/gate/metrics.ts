/** What a gate can judge, by the names in policies: direction, unit, and what is known of one task's value. */
import { type SolutionMetricName, solutionMetricNames, solutionMetrics } from '../metrics/solution-metrics.ts';
import type { Direction } from '../statistics/version-verdict.ts';

export interface GateMetric {
  /** Which way is good, unless a policy says otherwise. */
  readonly direction: Direction;
  /** Of values, differences and margins. */
  readonly unit: string;
  /** In a policy's reference: what the metric is. */
  readonly meaning: string;
  /** Names the tasks that became better or worse: where a task's value has few levels. */
  readonly namesTasks?: boolean;
  /** Its margin is in percent already, or counts levels: `marginPercent` says nothing more. */
  readonly noPercent?: boolean;
}

const slower = (time: string): GateMetric => ({
  direction: 'lower',
  unit: '% of time',
  meaning: `${time}, as the geometric mean over tasks of new / old: margin 10 allows 10 % more`,
  noPercent: true,
});

/** Metrics that are not among those of solutions. */
const others = {
  wall_ratio: slower('time on the clock'),
  cpu_ratio: slower('processor time'),
  wall_ratio_passing: slower('time on the clock of solutions that pass in both versions'),
  cpu_ratio_passing: slower('processor time of solutions that pass in both versions'),
  asl: { direction: 'higher', unit: 'loops', meaning: 'EVALOOP: Average Sustainable Loops, with the judge’s similarities' },
  asl_unweighted: { direction: 'higher', unit: 'loops', meaning: 'EVALOOP: the same with every similarity 1', namesTasks: true },
  chain_score: { direction: 'higher', unit: 'steps', meaning: 'translation chains: ASL, by the scoring of the study', namesTasks: true },
  auc_e_normalized: { direction: 'higher', unit: '0 to 1', meaning: 'PromptSE: area under the elasticity curve, over 6' },
  auc_e_excess: { direction: 'higher', unit: 'of 2/3', meaning: 'PromptSE: auc_e over its noise floor' },
  pass_at_detail: { direction: 'higher', unit: '%', meaning: 'PartialOrderEval: pass at one level of detail', namesTasks: true },
  sufficient_detail: {
    direction: 'lower',
    unit: 'levels',
    meaning: 'PartialOrderEval: the least level of a curve that does as well as the maximal prompt (within the study’s `within`), from 0',
    noPercent: true,
  },
} as const satisfies Readonly<Record<string, GateMetric>>;

const meanings: Readonly<Record<SolutionMetricName, string>> = {
  pass_at_1: 'first answers that pass, of any study',
  code_smell: 'RobuNFR: messages of code smells',
  unreadability: 'RobuNFR: messages of style',
  exception_handling: 'RobuNFR: handlers and raises',
  wall_ms: 'mean time on the clock',
  cpu_ms: 'mean processor time',
  wall_ms_passing: 'the same of solutions that pass in both versions',
  cpu_ms_passing: 'the same of solutions that pass in both versions',
};

export type GateMetricName = SolutionMetricName | keyof typeof others;
export const gateMetricNames = [...solutionMetricNames, ...Object.keys(others)] as [GateMetricName, ...GateMetricName[]];

export function gateMetric(name: GateMetricName): GateMetric {
  if (name in others) return others[name as keyof typeof others];
  const own = name as SolutionMetricName;
  return { ...solutionMetrics[own], meaning: meanings[own], ...(own === 'pass_at_1' ? { namesTasks: true } : {}) };
}
