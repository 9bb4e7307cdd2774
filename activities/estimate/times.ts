/**
 * Estimates how long a run takes, from the limits of accounts, the latency of answers and the speed at which this
 * machine runs programs.
 */
import type { StatedLimits } from '../../domain/accounts/stated-limits.ts';
import { canonicalJson } from '../../domain/ids.ts';
import { providerFacts } from '../../domain/spec/provider-facts.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Range } from '../../studies/forecast.ts';
import { accountIdentity } from '../calls/accounts/account-identity.ts';
import { endpointConcurrency, localConcurrency } from '../calls/models.ts';
import type { Lane } from './lane-estimate.ts';
import { type Bound, rangeOf } from './ranges.ts';

/** For an endpoint that was not asked yet. */
export const assumedLatency = { seconds: 1, secondsPerToken: 0.02 } as const;
/** Calls per second that evenkeel handles on two cores, without programs: docs/performance.md. */
export const engineCallsPerSecond = 2000;
/**
 * Programs whose quality is measured per second and core with two slots, and programs timed per second, one after
 * another: docs/sandbox-speed.md.
 */
export const measuredPerCoreSecond = 42;
export const timedPerSecond = 12;
/** Pages of a lane in progress at a time. */
const pagesAtOnce = 4;

export interface Pace {
  /** Measured latency of a model's answers; null if it was not asked yet. */
  readonly medianLatencyMs: (answeringModel: string) => number | null;
  readonly programsPerSecond: number;
  /** Seconds to judge one program of a study on its task's suites, as a mean over the tasks. */
  readonly programSeconds: (study: string) => number;
  /** Seconds to run the references that this machine does not know yet. */
  readonly referenceSeconds: number;
  /** Seconds to measure the quality of one program and to time it; 0 if the sandbox cannot. */
  readonly measuringSeconds: number;
  /** Seconds to time the yardstick of a task; 0 if the sandbox cannot. */
  readonly yardstickSeconds: number;
}

/**
 * Seconds to measure programs, for studies that want it; equal programs are measured once. Each task of a model has a
 * yardstick too, and at least one program.
 */
export const measuringSeconds = (lanes: readonly Lane[], pace: Pace): Range =>
  rangeOf((bound) => {
    const measured = lanes.filter(({ isMeasured }) => isMeasured).map((lane) => lane.differentPrograms);
    const yardsticks = sum(measured.map(({ minimum }) => minimum));
    return sum(measured.map((own) => own[bound])) * pace.measuringSeconds + yardsticks * pace.yardstickSeconds;
  });

/** Time of one row alone; in a run, rows share accounts and the machine. */
export const laneSeconds = (spec: Spec, lane: Lane, pace: Pace): Range =>
  rangeOf((bound) => phaseSeconds(spec, [lane], pace, bound));

/** Prompt variants come first; after them all lanes run in parallel. */
export function runSeconds(spec: Spec, lanes: readonly Lane[], pace: Pace): Range {
  const [first, rest] = [true, false].map((wanted) => lanes.filter(({ isVariants }) => isVariants === wanted)) as [
    Lane[],
    Lane[],
  ];
  return rangeOf(
    (bound) => pace.referenceSeconds + phaseSeconds(spec, first, pace, bound) + phaseSeconds(spec, rest, pace, bound),
  );
}

/** Parallel parts take as long as the slowest; in the worst case each waits for the others. */
function phaseSeconds(spec: Spec, lanes: readonly Lane[], pace: Pace, bound: Bound): number {
  // How long an endpoint keeps a batch is its own choice: the plan's assumptions say so.
  const askedAtOnce = lanes.filter(({ isBatched }) => !isBatched);
  const accounts = [...Map.groupBy(askedAtOnce, (lane) => accountOf(spec, lane).id).values()];
  const asking = Math.max(0, ...accounts.map((group) => accountSeconds(spec, group, pace, bound)));
  const judging = sum(lanes.map((lane) => lane.programs[bound] * pace.programSeconds(lane.estimate.study)));
  const running = judging + measuringSeconds(lanes, pace)[bound];
  const carrying = sum(lanes.map(({ estimate }) => estimate.newCalls[bound])) / engineCallsPerSecond;
  return bound === 'maximum' ? asking + running + carrying : Math.max(asking, running, carrying);
}

function accountSeconds(spec: Spec, lanes: readonly Lane[], pace: Pace, bound: Bound): number {
  const [first] = lanes;
  if (first === undefined) return 0;
  const {
    concurrency,
    requestsPerMinute = Infinity,
    tokensPerMinute = Infinity,
    inputTokensPerMinute = Infinity,
    outputTokensPerMinute = Infinity,
    ...daily
  } = accountOf(spec, first).limits;
  const calls = sum(lanes.map(({ estimate }) => estimate.newCalls[bound]));
  const tokens = sum(lanes.map(({ estimate }) => estimate.newTokens[bound]));
  const output = sum(lanes.map(({ estimate }) => estimate.newOutputTokens[bound]));
  const input = Math.max(0, tokens - output);
  const busy = sum(lanes.map((lane) => lane.estimate.newCalls[bound] * answerSeconds(spec, lane, pace, bound)));
  const chain = Math.max(...lanes.map((lane) => chainSeconds(spec, lane, pace, bound)));
  const limited = Math.max(
    ...[busy / concurrency, (calls / requestsPerMinute) * 60, (tokens / tokensPerMinute) * 60],
    ...[(input / inputTokensPerMinute) * 60, (output / outputTokensPerMinute) * 60],
    ...[daysBetween(input, daily.inputTokensPerDay), daysBetween(output, daily.outputTokensPerDay)],
    ...[daysBetween(calls, daily.requestsPerDay), daysBetween(tokens, daily.tokensPerDay)],
  );
  return bound === 'maximum' ? limited + chain : Math.max(limited, chain);
}

/** Seconds of waiting for the next day's quota; each may be used at once. */
const daysBetween = (count: number, perDay: number = Infinity): number =>
  Math.max(0, Math.ceil(count / perDay) - 1) * 86_400;

/** Calls of a cell run one after another, and so do a lane's pages beyond those in progress. */
function chainSeconds(spec: Spec, lane: Lane, pace: Pace, bound: Bound): number {
  const waves = Math.ceil(lane.openPages / pagesAtOnce);
  return Math.min(lane.estimate.newCalls[bound], lane.inSeries[bound] * waves) * answerSeconds(spec, lane, pace, bound);
}

function answerSeconds(spec: Spec, { estimate }: Lane, pace: Pace, bound: Bound): number {
  const measuredMs = pace.medianLatencyMs(estimate.answeringModel);
  if (measuredMs !== null) return measuredMs / 1000;
  if (!providerFacts(spec, modelOf(spec, estimate.answeringModel)).paid) return 0;
  // The answers to one request are written at the same time.
  const answers = estimate.newAnswers[bound];
  return answers === 0
    ? 0
    : assumedLatency.seconds + (assumedLatency.secondsPerToken * estimate.newOutputTokens[bound]) / answers;
}

interface AccountOfModel {
  readonly id: string;
  readonly limits: StatedLimits & { readonly concurrency: number };
}

/** Entries of `providers` with the same endpoint and key are one account. */
function accountOf(spec: Spec, { estimate }: Lane): AccountOfModel {
  const account = spec.providers[modelOf(spec, estimate.answeringModel).provider];
  if (account === undefined)
    return { id: `local ${estimate.answeringModel}`, limits: { concurrency: localConcurrency } };
  return {
    id: canonicalJson(accountIdentity(account)),
    limits: { ...account.limits, concurrency: account.limits.concurrency ?? endpointConcurrency },
  };
}

const modelOf = (spec: Spec, id: string): SpecModel => spec.models.find((model) => model.id === id) as SpecModel;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
