/** What a spec would ask and cost: cells exact, the rest as minimum, expected and maximum under stated assumptions. */
import { availableParallelism } from 'node:os';
import { nameList } from '../domain/name-list.ts';
import type { Spec } from '../schemas/spec.ts';
import type { Range } from '../studies/forecast.ts';
import { studyOf } from '../studies/index.ts';
import type { Task } from '../schemas/task.ts';
import { assumptionsOf } from './estimate/assumptions.ts';
import { unmeasured } from './estimate/unmeasured.ts';
import { freshQuestions } from './estimate/fresh-questions.ts';
import { type Lane, type LaneEstimate, lanesOf } from './estimate/lane-estimate.ts';
import { type EarlierRun, pageGroups } from './estimate/page-groups.ts';
import { sumRanges } from './estimate/ranges.ts';
import { laneSeconds, measuredPerCoreSecond, measuringSeconds, type Pace, runSeconds, timedPerSecond } from './estimate/times.ts';
import { meanProgramSeconds, programsPerSecond, referenceNotes, unknownSuites } from './estimate/program-times.ts';
import { someTasks } from './estimate/token-counts.ts';
import { type LeftOut, leftOutLines } from './left-out.ts';
import { tasksOf } from './plan-inputs.ts';
import type { ReferenceTimes } from './reference-times.ts';
import { priceRemedy } from './spec-faults.ts';

/** One study, model and role; its time is for it alone. Measuring is part of it: quality and time of programs, where the study wants them. */
export type EstimatedLane = LaneEstimate & { readonly timeSeconds: Range; readonly measuringSeconds: Range };

/** Sums over the lanes; time is not one, since lanes run side by side. */
export type EstimatedRun = Pick<
  EstimatedLane,
  'reusedCalls' | 'newCalls' | 'reusedTokens' | 'newTokens' | 'usd' | 'spentUsd' | 'diskBytes' | 'timeSeconds' | 'measuringSeconds'
>;

export interface PlanEstimate {
  /** What the run cannot give on this machine: said before anything else. */
  readonly headlines: readonly string[];
  readonly lanes: readonly EstimatedLane[];
  readonly run: EstimatedRun;
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
}

type PlannedBenchmarks = ReadonlyMap<string, { readonly tasks: readonly Task[] }>;

export interface PlanToEstimate {
  readonly spec: Spec;
  readonly benchmarks: PlannedBenchmarks;
  /** Null where no run of that id is there. */
  readonly earlier: EarlierRun | null;
  readonly tier: string;
  /** Of references, as far as this machine knows them. */
  readonly times?: ReferenceTimes;
  readonly leftOut?: LeftOut;
}

export function estimatePlan({ spec, benchmarks, earlier, tier, times = new Map(), leftOut = {} }: PlanToEstimate): PlanEstimate {
  const tasks = tasksOf(benchmarks);
  const allTasks = [...tasks.values()].flat();
  const counted = new Map([...tasks].map(([name, all]) => [name, someTasks(all)]));
  const groups = pageGroups(spec, tasks, earlier, leftOut);
  const freshOf = freshQuestions();
  // What groups that are furthest have asked is not asked again by the others.
  const made = new Map(
    groups
      .toSorted((a, b) => b.sealedCells / b.cells - a.sealedCells / a.cells)
      .map((group) => [
        group,
        lanesOf(spec, group, studyOf(group.study).calls(group.study), counted.get(group.study.benchmark) ?? [], freshOf),
      ]),
  );
  const lanes = groups.flatMap((group) => made.get(group) ?? []);
  const pace: Pace = {
    medianLatencyMs: (model) => earlier?.medianLatencyMs(model) ?? null,
    programsPerSecond,
    programSeconds: (study) =>
      meanProgramSeconds(
        tasks.get(spec.studies.find(({ name }) => name === study)?.benchmark ?? '') ?? [],
        times,
        new Set(leftOut[study]?.map(({ taskId }) => taskId)),
      ),
    referenceSeconds: earlier === null ? sum(allTasks.map((task) => unknownSuites(task, times))) / programsPerSecond : 0,
    measuringSeconds: measuringOf(tier),
  };
  const run = runOf(lanes, { timeSeconds: runSeconds(spec, lanes, pace), measuringSeconds: measuringSeconds(lanes, pace) });
  return {
    headlines: unmeasured(spec, tier),
    lanes: lanes.map((lane) => ({
      ...lane.estimate,
      timeSeconds: laneSeconds(spec, lane, pace),
      measuringSeconds: measuringSeconds([lane], pace),
    })),
    run,
    assumptions: assumptionsOf(spec, lanes, pace, tier),
    warnings: [...leftOutLines(spec, leftOut), ...referenceNotes(allTasks, times), ...unknownPrices(lanes), ...budgetWarnings(spec, run)],
  };
}

/** The container tier has both, bubblewrap times, the embedded one does neither. */
function measuringOf(tier: string): number {
  const timing = 1 / timedPerSecond;
  const quality = 1 / (measuredPerCoreSecond * availableParallelism());
  return tier === 'container' ? quality + timing : tier === 'bubblewrap' ? timing : 0;
}

function runOf(lanes: readonly Lane[], seconds: Pick<EstimatedRun, 'timeSeconds' | 'measuringSeconds'>): EstimatedRun {
  const rows = lanes.map(({ estimate }) => estimate);
  return {
    reusedCalls: sum(rows.map(({ reusedCalls }) => reusedCalls)),
    newCalls: sumRanges(rows.map(({ newCalls }) => newCalls)),
    reusedTokens: sum(rows.map(({ reusedTokens }) => reusedTokens)),
    newTokens: sumRanges(rows.map(({ newTokens }) => newTokens)),
    usd: sumUsd(rows),
    spentUsd: sum(rows.map(({ spentUsd }) => spentUsd)),
    diskBytes: sumRanges(rows.map(({ diskBytes }) => diskBytes)),
    ...seconds,
  };
}

/** Unknown as soon as one row's is. */
function sumUsd(rows: readonly LaneEstimate[]): LaneEstimate['usd'] {
  const known = rows.flatMap(({ usd }) => usd ?? []);
  if (known.length < rows.length) return null;
  const total = (bound: 'low' | 'expected' | 'high'): number => sum(known.map((usd) => usd[bound]));
  return { low: total('low'), expected: total('expected'), high: total('high') };
}

function unknownPrices(lanes: readonly Lane[]): string[] {
  const names = [...new Set(lanes.flatMap(({ estimate }) => (estimate.usd === null ? [estimate.answeringModel] : [])))];
  return names.length === 0 ? [] : [`no price is known for ${nameList(names)}: ${priceRemedy}`];
}

/** Of a budget that the run may use up, in what it may cost altogether. */
function budgetWarnings({ budget }: Spec, { usd, spentUsd, newTokens, reusedTokens }: EstimatedRun): string[] {
  const money = usd && { minimum: spentUsd + usd.low, expected: spentUsd + usd.expected, maximum: spentUsd + usd.high };
  const dollars = (value: number): string => `$${value.toFixed(2)}`;
  const tokens = (value: number): string => `${value.toLocaleString('en-US')} tokens`;
  return [
    ...(budget?.usd === undefined || money === null ? [] : budgetWarning(budget.usd, money, dollars)),
    ...(budget?.tokens === undefined ? [] : budgetWarning(budget.tokens, addTo(newTokens, reusedTokens), tokens)),
  ];
}

const addTo = (range: Range, more: number): Range => sumRanges([range, { minimum: more, expected: more, maximum: more }]);

function budgetWarning(budget: number, { minimum, expected, maximum }: Range, text: (value: number) => string): string[] {
  if (budget >= maximum) return [];
  const chance = budget < minimum ? 'will stop' : budget < expected ? 'is expected to stop' : 'may stop';
  return [
    `the run ${chance} at its budget of ${text(budget)}: at least ${text(minimum)}, expected ${text(expected)}, at most ${text(maximum)}; it can be resumed with more`,
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
