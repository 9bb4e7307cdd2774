/** Estimates one model in one role: calls, tokens, cost and disk space, without what is already answered. */
import { providerFacts } from '../../domain/spec/provider-facts.ts';
import { effortOf } from '../../domain/spec/efforts.ts';
import { askedEffort, expectedThoughts, type KnownThoughts } from './thoughts.ts';
import type { ReasoningEffort } from '../../schemas/spec/parameters.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import { studyOf } from '../../studies/index.ts';
import type { AnswerKind, CallForecast, Range } from '../../studies/forecast.ts';
import { type AnswerLimit, answerLimit, beyondLimit, longestOf } from './answer-limit.ts';
import { type CallCosts, costOf } from './call-costs.ts';
import { diskBytes } from './disk.ts';
import type { Fresh, FreshOf } from './fresh-questions.ts';
import type { PageGroup } from './page-groups.ts';
import { rangeOf, sumRanges } from './ranges.ts';
import { inputTokens, outputTokens } from './token-counts.ts';

export interface LaneEstimate {
  readonly study: string;
  /** Model under study; null if the answers serve all models, as prompt variants do. */
  readonly model: string | null;
  /** `study`, or the asked model's other role. */
  readonly role: string;
  readonly answeringModel: string;
  readonly cells: number;
  /** Cells on pages that are finished: nothing more is asked for them. */
  readonly sealedCells: number;
  readonly reusedCalls: number;
  /** Requests: a maximum has one answer in each. */
  readonly newCalls: Range;
  readonly newAnswers: Range;
  readonly reusedTokens: number;
  readonly newInputTokens: Range;
  readonly newOutputTokens: Range;
  readonly newTokens: Range;
  /** Cost of the new calls. Null if the price is unknown; 0 for simulated and replayed models. */
  readonly usd: { readonly low: number; readonly expected: number; readonly high: number } | null;
  /** Cost of the reused calls. */
  readonly spentUsd: number;
  /** Disk space of the new samples. */
  readonly diskBytes: Range;
}

/** An estimate with the inputs of its time. */
export interface Lane {
  readonly estimate: LaneEstimate;
  /** Tokens of thoughts per answer: as measured, null before that, and as expected. */
  readonly thinking: {
    readonly effort: ReasoningEffort | null;
    readonly measured: number | null;
    readonly expected: number;
    /** Whether the model is known to think. */
    readonly isKnown: boolean;
    /** As in `KnownThoughts`. */
    readonly exceeds: boolean;
  };
  /** As in `CallCosts`, of the dearest call. */
  readonly unlimitedCallUsd: number | null;
  readonly isVariants: boolean;
  readonly openPages: number;
  /** Calls of one cell that depend on each other. */
  readonly inSeries: Range;
  /** New programs, including duplicates. */
  readonly programs: Range;
  /** New programs without duplicates. */
  readonly differentPrograms: Range;
  /** Whether its calls wait for batches. */
  readonly isBatched: boolean;
  /** Whether the study measures the programs' quality and time. */
  readonly isMeasured: boolean;
}

/** The rows of one study and model: one per role and asked model, with the steps of a role added up. */
export function lanesOf(
  spec: Spec,
  group: PageGroup,
  forecasts: readonly CallForecast[],
  tasks: readonly Task[],
  freshOf: FreshOf,
  thoughts: KnownThoughts,
): Lane[] {
  const ofPhase = forecasts.filter(({ phase }) => phase === group.phase);
  const roles = Map.groupBy(ofPhase, ({ asked }) => (asked === 'study' ? asked : JSON.stringify(asked)));
  return [...roles.values()].map((calls) => laneOf(spec, group, calls, tasks, freshOf, thoughts));
}

/** New calls of one kind, and their tokens. */
interface Asked extends CallCosts {
  readonly answer: AnswerKind;
  /** Answers stored for this group, including those that another group asks for. */
  readonly samples: Range;
  readonly calls: Range;
  readonly requests: Range;
  readonly differentPrograms: Range;
  readonly input: Range;
  readonly output: Range;
}

function laneOf(
  spec: Spec,
  group: PageGroup,
  forecasts: readonly CallForecast[],
  tasks: readonly Task[],
  freshOf: FreshOf,
  thoughts: KnownThoughts,
): Lane {
  const asked = forecasts[0]?.asked ?? 'study';
  const answeringModel = asked === 'study' ? group.model : asked.model;
  const isSimulated = providerFacts(spec, modelOf(spec, answeringModel)).simulated;
  const fresh = forecasts.map((forecast) => freshOf(group, { model: answeringModel, isSimulated }, forecast));
  const effort = askedEffort(spec, group.study, answeringModel, asked);
  const measured = thoughts.mean(group.study.name, answeringModel);
  const [isKnown, exceeds] = [thoughts.thinks(answeringModel), thoughts.exceeds(answeringModel)];
  const thinking = { effort, measured, expected: expectedThoughts(measured, effort), isKnown, exceeds };
  const asker = { id: answeringModel, expectedThoughts: thinking.expected, known: thoughts };
  const news = newAsked(spec, group, asker, forecasts, tasks, fresh);
  const programs = news.filter(({ answer }) => answer === 'program');
  return {
    estimate: {
      study: group.study.name,
      model: group.phase === 'variants' ? null : group.model,
      role: asked === 'study' ? asked : asked.role,
      answeringModel,
      cells: group.cells,
      sealedCells: group.sealedCells,
      ...reusedOf(group, forecasts),
      ...newOf(news, asksLogprobs(spec, answeringModel, forecasts)),
    },
    thinking,
    unlimitedCallUsd: highest(news.map(({ unlimitedCallUsd }) => unlimitedCallUsd)),
    isVariants: group.phase === 'variants',
    isBatched: isBatched(spec, group, answeringModel),
    openPages: group.openPages,
    inSeries: sumRanges(forecasts.map(({ inSeries }) => inSeries)),
    programs: sumRanges(programs.map(({ calls }) => calls)),
    differentPrograms: sumRanges(programs.map((asked) => asked.differentPrograms)),
    isMeasured: studyOf(group.study).measuredAt !== undefined,
  };
}

/** The model that answers, and what is known of thoughts. */
interface Answering {
  readonly id: string;
  readonly known: KnownThoughts;
  /** Tokens per answer. */
  readonly expectedThoughts: number;
}

function newAsked(
  spec: Spec,
  group: PageGroup,
  { id, expectedThoughts: thoughts, known }: Answering,
  forecasts: readonly CallForecast[],
  tasks: readonly Task[],
  fresh: readonly Fresh[],
): Asked[] {
  const effort = effortOf(group.study);
  const answering = modelOf(spec, id);
  const ofStudy = answerLimit(spec, modelOf(spec, group.model), group.study.settings.maxTokens, effort);
  const longestQuoted = longestOf(ofStudy, known.thinks(group.model));
  const news = newCalls(group, forecasts);
  return forecasts.flatMap((forecast, index) => {
    const [samples, own] = [news[index], fresh[index]];
    if (samples === undefined || own === undefined) return [];
    const calls = rangeOf((bound) => samples[bound] * own.share);
    const requests = requestsOf(calls, forecast.draws ?? 1, answering.samplesPerRequest ?? 1);
    const whole = group.cells * forecast.calls.maximum * own.share;
    const input = inputTokens(forecast, tasks, longestQuoted);
    const sent = answerLimit(spec, answering, forecast.maxTokens, forecast.asked === 'study' ? effort : null);
    const limit: AnswerLimit = known.exceeds(id) ? beyondLimit(spec, answering, sent) : sent;
    const spoken = outputTokens(forecast.answer, tasks, longestOf(limit, known.thinks(id)));
    const output = { ...spoken, expected: Math.min(spoken.maximum, spoken.expected + thoughts) };
    return {
      ...{ answer: forecast.answer, samples, calls, requests, differentPrograms: times(calls, own.programs) },
      ...{ input: times(requests, input), output: times(calls, output) },
      ...costOf(
        { spec, isBatched: isBatched(spec, group, id), model: answering },
        { calls, requests, whole, input, output, limit },
      ),
    };
  });
}

function reusedOf(
  group: PageGroup,
  forecasts: readonly CallForecast[],
): Pick<LaneEstimate, 'reusedCalls' | 'reusedTokens' | 'spentUsd'> {
  const steps = new Map(forecasts.map(({ step, asked }) => [step, asked]));
  const reused = [...steps].map(([step, asked]) => group.answered(step, asked));
  return {
    reusedCalls: sum(reused.map(({ samples }) => samples)),
    reusedTokens: sum(reused.map(({ tokens }) => tokens)),
    spentUsd: sum(reused.map(({ usd }) => usd)),
  };
}

type NewPart = Pick<
  LaneEstimate,
  'newCalls' | 'newAnswers' | 'newInputTokens' | 'newOutputTokens' | 'newTokens' | 'usd' | 'diskBytes'
>;

function newOf(asked: readonly Asked[], logprobs: boolean): NewPart {
  const [newCalls, newInputTokens, newOutputTokens] = [
    rounded(sumRanges(asked.map(({ requests }) => requests))),
    rounded(sumRanges(asked.map(({ input }) => input))),
    rounded(sumRanges(asked.map(({ output }) => output))),
  ];
  return {
    newCalls,
    newAnswers: rounded(sumRanges(asked.map(({ calls }) => calls))),
    newInputTokens,
    newOutputTokens,
    newTokens: sumRanges([newInputTokens, newOutputTokens]),
    usd: sumUsd(asked.map(({ usd }) => usd)),
    diskBytes: diskBytes(rounded(sumRanges(asked.map(({ samples }) => samples))), newOutputTokens, logprobs),
  };
}

const asksLogprobs = (spec: Spec, answeringModel: string, forecasts: readonly CallForecast[]): boolean =>
  forecasts.some(({ logprobs }) => logprobs) && modelOf(spec, answeringModel).parameters?.logprobs !== null;

/**
 * Answers to one question share requests. Minimum: all requests are full; expected: those of a new question; maximum:
 * one answer in each, as from an endpoint that refuses a request for several.
 */
const requestsOf = (answers: Range, draws: number, most: number): Range => ({
  minimum: answers.minimum / Math.min(draws, most),
  expected: (answers.expected * Math.ceil(draws / most)) / draws,
  maximum: answers.maximum,
});

/**
 * Expected calls of the open pages, minus their stored answers, which are deducted from the earliest
 * questions of a step first.
 */
function newCalls(group: PageGroup, forecasts: readonly CallForecast[]): Range[] {
  const openCells = group.cells - group.sealedCells;
  const left = new Map(forecasts.map(({ step, asked }) => [step, rangeOf(() => group.answered(step, asked).open)]));
  return forecasts.map(({ step, calls }) => {
    const answered = left.get(step);
    const wanted = rangeOf((bound) => openCells * calls[bound]);
    const taken = rangeOf((bound) => Math.min(wanted[bound], answered?.[bound] ?? 0));
    left.set(
      step,
      rangeOf((bound) => (answered?.[bound] ?? 0) - taken[bound]),
    );
    return rangeOf((bound) => wanted[bound] - taken[bound]);
  });
}

const isBatched = (spec: Spec, { phase }: PageGroup, model: string): boolean =>
  phase !== 'variants' && modelOf(spec, model).mode === 'batch';

const modelOf = (spec: Spec, id: string): SpecModel => spec.models.find((model) => model.id === id) as SpecModel;

/** Null (unknown) if any range is. */
function sumUsd(ranges: readonly LaneEstimate['usd'][]): LaneEstimate['usd'] {
  const known = ranges.flatMap((usd) => usd ?? []);
  if (known.length < ranges.length) return null;
  return {
    low: sum(known.map(({ low }) => low)),
    expected: sum(known.map((usd) => usd.expected)),
    high: sum(known.map(({ high }) => high)),
  };
}

const times = (calls: Range, each: Range): Range => rangeOf((bound) => calls[bound] * each[bound]);
const rounded = (range: Range): Range => rangeOf((bound) => Math.round(range[bound]));
/** Null of nothing. */
const highest = (values: readonly (number | null)[]): number | null =>
  values.reduce((most, value) => (value === null ? most : Math.max(most ?? 0, value)), null);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
