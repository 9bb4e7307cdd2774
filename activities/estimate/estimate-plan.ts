/**
 * Estimates the calls and cost of a spec: cells exactly, the rest as minimum, expected and maximum
 * under stated assumptions.
 */
import { askedAlikeTexts, givenBy } from '../../domain/spec/equal-requests.ts';
import { availableParallelism } from 'node:os';
import { usdText, usdTextUp } from '../../analysis/report/format.ts';
import { nameList } from '../../domain/name-list.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { Range } from '../../studies/forecast.ts';
import { studyOf } from '../../studies/index.ts';
import type { Task } from '../../schemas/task.ts';
import { noThoughts } from './thoughts.ts';
import { exceedingTexts, thinkingText, type UnlimitedCalls, unlimitedCalls } from './unlimited-calls.ts';
import { batchSavings } from './batch-savings.ts';
import { assumptionsOf } from './assumptions.ts';
import { repeatedTasksNotes } from '../../domain/benchmarks/repeated-tasks.ts';
import { unmeasured } from './unmeasured.ts';
import { freshQuestions } from './fresh-questions.ts';
import { type Lane, type LaneEstimate, lanesOf } from './lane-estimate.ts';
import { type EarlierRun, pageGroups } from './page-groups.ts';
import { rangeOf, sumRanges } from './ranges.ts';
import {
  laneSeconds,
  measuredPerCoreSecond,
  measuringSeconds,
  type Pace,
  runSeconds,
  timedPerSecond,
} from './times.ts';
import { meanProgramSeconds, programsPerSecond, referenceNotes, unknownSuites } from './program-times.ts';
import { someTasks } from './token-counts.ts';
import { type LeftOut, leftOutLines } from '../runs/left-out.ts';
import { tasksOf } from '../runs/plan-inputs.ts';
import type { AnsweredStep } from '../storage/ledger/ledger-counts.ts';
import type { ReferenceTimes } from '../judging/reference-times.ts';
import { priceRemedy } from '../runs/spec-faults.ts';

/**
 * The estimate for one study, model and role, as if it ran alone. Its time includes measuring: quality and time of
 * programs, if the study wants them.
 */
export type EstimatedLane = LaneEstimate & { readonly timeSeconds: Range; readonly measuringSeconds: Range };

/** Sums over the lanes; times are not summed, since lanes run in parallel. */
export type EstimatedRun = Pick<
  EstimatedLane,
  | 'reusedCalls'
  | 'newCalls'
  | 'reusedTokens'
  | 'newTokens'
  | 'usd'
  | 'spentUsd'
  | 'diskBytes'
  | 'timeSeconds'
  | 'measuringSeconds'
>;

export interface PlanEstimate {
  /** What the run cannot measure on this machine; shown first. */
  readonly headlines: readonly string[];
  readonly lanes: readonly EstimatedLane[];
  readonly run: EstimatedRun;
  readonly unlimited: UnlimitedCalls;
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
}

type PlannedBenchmarks = ReadonlyMap<string, { readonly tasks: readonly Task[] }>;

export interface PlanToEstimate {
  readonly spec: Spec;
  readonly benchmarks: PlannedBenchmarks;
  /** Null if no run of that id exists. */
  readonly earlier: EarlierRun | null;
  readonly tier: string;
  /** Times of references, as far as this machine knows them. */
  readonly times?: ReferenceTimes;
  readonly leftOut?: LeftOut;
  /** Answers that the run will take over from other runs. */
  readonly reused?: readonly AnsweredStep[];
}

export function estimatePlan({
  spec,
  benchmarks,
  earlier,
  tier,
  times = new Map(),
  leftOut = {},
  reused = [],
}: PlanToEstimate): PlanEstimate {
  const tasks = tasksOf(benchmarks);
  const allTasks = [...tasks.values()].flat();
  const counted = new Map([...tasks].map(([name, all]) => [name, someTasks(all)]));
  const groups = pageGroups(spec, tasks, earlier, leftOut, reused);
  const freshOf = freshQuestions();
  const pace = paceOf({ spec, benchmarks, earlier, tier, times, leftOut }, tasks);
  // The groups that are furthest come first: other groups do not ask their questions again.
  const made = new Map(
    groups
      .toSorted((a, b) => b.sealedCells / b.cells - a.sealedCells / a.cells)
      .map((group) => [
        group,
        lanesOf(
          spec,
          group,
          studyOf(group.study).calls(group.study),
          counted.get(group.study.benchmark) ?? [],
          freshOf,
          earlier?.thoughts ?? noThoughts,
        ),
      ]),
  );
  const lanes = groups.flatMap((group) => made.get(group) ?? []);
  const run = runOf(lanes, {
    timeSeconds: runSeconds(spec, lanes, pace),
    measuringSeconds: measuringSeconds(lanes, pace),
  });
  const unlimited = unlimitedCalls(spec, lanes);
  return {
    headlines: unmeasured(spec, tier),
    lanes: lanes.map((lane) => ({
      ...lane.estimate,
      timeSeconds: laneSeconds(spec, lane, pace),
      measuringSeconds: measuringSeconds([lane], pace),
    })),
    run,
    unlimited,
    assumptions: assumptionsOf(spec, lanes, pace, tier),
    warnings: [
      ...leftOutLines(spec, leftOut),
      ...referenceNotes(allTasks, times),
      ...[...tasks].flatMap(([benchmark, own]) => repeatedTasksNotes(benchmark, own)),
      ...askedAlikeTexts(spec, studyModelsOf(spec, lanes)),
      ...unknownPrices(lanes),
      ...unlimited.known.map(thinkingText),
      ...exceedingTexts(lanes),
      ...budgetWarnings(spec, run, earlier?.spent ?? { usd: 0, tokens: 0 }),
      ...batchSavings(spec, lanes),
    ],
  };
}

/** What each study gives its models, and these, each once. */
const studyModelsOf = ({ studies }: Spec, lanes: readonly Lane[]) =>
  studies.map((study) => {
    const own = lanes.filter(({ estimate }) => estimate.study === study.name && estimate.role === 'study');
    return { given: givenBy(study), ids: [...new Set(own.flatMap(({ estimate: { model } }) => model ?? []))] };
  });

function paceOf(
  { spec, earlier, tier, times, leftOut }: Required<Omit<PlanToEstimate, 'reused'>>,
  tasks: ReadonlyMap<string, readonly Task[]>,
): Pace {
  const unknown = [...tasks.values()].flat().map((task) => unknownSuites(task, times));
  return {
    medianLatencyMs: (model) => earlier?.medianLatencyMs(model) ?? null,
    programsPerSecond,
    programSeconds: (study) =>
      meanProgramSeconds(
        tasks.get(spec.studies.find(({ name }) => name === study)?.benchmark ?? '') ?? [],
        times,
        new Set(leftOut[study]?.map(({ taskId }) => taskId)),
      ),
    referenceSeconds: earlier === null ? sum(unknown) / programsPerSecond : 0,
    ...measuringOf(tier),
  };
}

/** Per program, and per yardstick. The embedded tier measures neither quality nor time. */
function measuringOf(tier: string): Pick<Pace, 'measuringSeconds' | 'yardstickSeconds'> {
  if (tier === 'embedded') return { measuringSeconds: 0, yardstickSeconds: 0 };
  const timing = 1 / timedPerSecond;
  const quality = 1 / (measuredPerCoreSecond * availableParallelism());
  return { measuringSeconds: quality + timing, yardstickSeconds: timing };
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

/** Null (unknown) if any row's cost is. */
function sumUsd(rows: readonly LaneEstimate[]): LaneEstimate['usd'] {
  const known = rows.flatMap(({ usd }) => usd ?? []);
  if (known.length < rows.length) return null;
  const total = (bound: 'low' | 'expected' | 'high'): number => sum(known.map((usd) => usd[bound]));
  return { low: total('low'), expected: total('expected'), high: total('high') };
}

function unknownPrices(lanes: readonly Lane[]): string[] {
  const names = [...new Set(lanes.flatMap(({ estimate }) => (estimate.usd === null ? [estimate.answeringModel] : [])))];
  return names.length === 0 ? [] : [`no price known for ${nameList(names)}: ${priceRemedy}`];
}

/** Warnings if the run's total, including what is already spent, may exceed its budget. */
function budgetWarnings(
  { budget }: Spec,
  { usd, newTokens }: Pick<EstimatedRun, 'usd' | 'newTokens'>,
  spent: EarlierRun['spent'],
): string[] {
  const money = usd && { minimum: usd.low, expected: usd.expected, maximum: usd.high };
  const tokens = (value: number): string => `${value.toLocaleString('en-US')} tokens`;
  return [
    ...(budget?.usd === undefined || money === null
      ? []
      : budgetWarning(budget.usd, spent.usd, money, usdText, usdTextUp)),
    ...(budget?.tokens === undefined ? [] : budgetWarning(budget.tokens, spent.tokens, newTokens, tokens)),
  ];
}

function budgetWarning(
  budget: number,
  spent: number,
  left: Range,
  text: (value: number) => string,
  highest: (value: number) => string = text,
): string[] {
  const { minimum, expected, maximum } = sumRanges([left, rangeOf(() => spent)]);
  if (budget >= maximum) return [];
  const chance = budget < minimum ? 'will stop' : budget < expected ? 'is expected to stop' : 'may stop';
  return [
    `the run ${chance} at its budget of ${text(budget)}: at least ${text(minimum)}, expected ${text(expected)}, ` +
      `at most ${highest(maximum)}${spent > 0 ? `, ${text(spent)} of it spent` : ''}; it can be resumed with more`,
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
