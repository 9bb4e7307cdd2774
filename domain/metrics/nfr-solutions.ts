/** RobuNFR's solutions of one model, by condition (workflow and requirement), and their contribution to each metric. */
import { excludedOutcomes, type Outcome } from '../../schemas/states.ts';
import type { CellPart } from './phrasing-values.ts';
import { type SolutionMetricName, solutionMetricNames } from './solution-metrics.ts';

export interface Solution {
  readonly taskId: string;
  readonly setting: string;
  readonly dimension: string;
  readonly variant: string;
  readonly repetition: number;
  readonly phrasing: string | null;
  /** What was asked: solutions of a task with the same prompt are draws of it. Default: the variant. */
  readonly prompt?: string;
  /** By suite; no_code on every suite for an answer without code. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** By suite that could not judge it, what was run: equal programs of a task have the same. Default: unknown. */
  readonly executions?: ReadonlyMap<string, string>;
  /** Null if it was not measured, or does not parse. */
  readonly quality: SolutionQuality | null;
  /** Null if it was not timed, or did not finish. */
  readonly timing: SolutionTiming | null;
  readonly simulated: boolean;
}

/** Means over the repeats, in units of the task's yardstick if it has one. */
export interface SolutionTiming {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Whether they are in units of a yardstick. Default: no, they are as measured. */
  readonly byYardstick?: boolean;
  /** Whether it passed the suite that it was timed on. */
  readonly passed: boolean;
}

export interface SolutionQuality {
  readonly loc: number;
  readonly codeSmells: number;
  readonly unreadability: number;
  readonly exceptionHandling: number;
}

/** A metric, with its suite if it depends on one. */
export interface Measure {
  readonly metric: SolutionMetricName;
  readonly suite: string | null;
}

export interface Place {
  readonly variant: string;
  readonly repetition: number;
  readonly phrasing: string | null;
}

export interface ConditionCells {
  readonly setting: string;
  readonly dimension: string;
  /** Phrasings, or repetitions of Function-Only, in order. */
  readonly places: readonly Place[];
  /** By place: what was asked. */
  readonly prompts: readonly string[];
  /** Each task's solutions, one for each place; undefined if there is none yet. */
  readonly tasks: ReadonlyMap<string, readonly (Solution | undefined)[]>;
  readonly simulated: boolean;
}

/** Conditions in the order of their first solution; tasks and places in the order of their names. */
export function conditionCells(solutions: readonly Solution[]): ConditionCells[] {
  const groups = Map.groupBy(solutions, ({ setting, dimension }) => JSON.stringify([setting, dimension]));
  return [...groups.values()].map((group) => {
    const places = new Map(group.map((solution) => [placeName(solution), solution]));
    const names = [...places.keys()].toSorted();
    const byTask = Map.groupBy(group, ({ taskId }) => taskId);
    const tasks = [...byTask.keys()].toSorted().map((taskId) => {
      const own = new Map(byTask.get(taskId)?.map((solution) => [placeName(solution), solution]));
      return [taskId, names.map((name) => own.get(name))] as const;
    });
    const [first] = group as [Solution];
    return {
      setting: first.setting,
      dimension: first.dimension,
      places: names.map((name) => placeOf(places.get(name) as Solution)),
      prompts: names.map((name) => promptOf(places.get(name) as Solution)),
      tasks: new Map(tasks),
      simulated: group.some(({ simulated }) => simulated),
    };
  });
}

const placeName = ({ variant, repetition }: Solution): string => `${variant}/${String(repetition).padStart(4, '0')}`;
const placeOf = ({ variant, repetition, phrasing }: Solution): Place => ({ variant, repetition, phrasing });
const promptOf = ({ variant, prompt = variant }: Solution): string => prompt;

export const functionOnlyOf = (conditions: readonly ConditionCells[]): ConditionCells | undefined =>
  conditions.find(({ dimension }) => dimension === 'function-only');

/** pass_at_1 on each suite with a verdict, by name, then the metrics measured on the program. */
export function measuresOf(solutions: readonly Solution[]): Measure[] {
  const suites = [...new Set(solutions.flatMap(({ outcomes }) => [...outcomes.keys()]))].toSorted();
  return solutionMetricNames.flatMap((metric) =>
    metric === 'pass_at_1' ? suites.map((suite): Measure => ({ metric, suite })) : [{ metric, suite: null }],
  );
}

/** Null if the solution does not count in the metric: missing, not measured, or stopped by a limit of evenkeel. */
export function partOf(solution: Solution | undefined, { metric, suite }: Measure): CellPart {
  if (solution === undefined) return null;
  if (metric === 'pass_at_1') return passPart(solution.outcomes.get(suite ?? ''));
  if (metric in counted) return densityPart(solution.quality, metric as keyof typeof counted);
  return timePart(solution.timing, metric);
}

const passPart = (outcome: Outcome | undefined): CellPart =>
  outcome === undefined || excludedOutcomes.has(outcome)
    ? null
    : { numerator: Number(outcome === 'pass'), denominator: 1 };

function timePart(timing: SolutionTiming | null, metric: SolutionMetricName): CellPart {
  if (timing === null || (metric.endsWith('_passing') && !timing.passed)) return null;
  return { numerator: metric.startsWith('wall') ? timing.wallMs : timing.cpuMs, denominator: 1 };
}

const counted = {
  code_smell: 'codeSmells',
  unreadability: 'unreadability',
  exception_handling: 'exceptionHandling',
} as const satisfies Partial<Record<SolutionMetricName, keyof SolutionQuality>>;

const densityPart = (quality: SolutionQuality | null, metric: keyof typeof counted): CellPart =>
  quality === null || quality.loc === 0 ? null : { numerator: quality[counted[metric]], denominator: quality.loc };
