/** Estimates one model in one role: calls, tokens, cost and disk space, without what is already answered. */
import { chatRequest, decodingOf, outputLimit } from '../../domain/chat-request.ts';
import { providerFacts } from '../../domain/spec/provider-facts.ts';
import { effortOf } from '../../domain/spec/efforts.ts';
import { askedEffort, expectedThoughts, type MeanThoughts } from './thoughts.ts';
import type { ReasoningEffort } from '../../schemas/spec/parameters.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import { studyOf } from '../../studies/index.ts';
import type { AnswerKind, CallForecast, Range } from '../../studies/forecast.ts';
import { batchPriceOf, type Price, priceOf } from '../calls/prices.ts';
import { assumedCeiling, mostOutputTokens } from '../calls/token-usage.ts';
import { diskBytes } from './disk.ts';
import type { Fresh, FreshOf } from './fresh-questions.ts';
import type { PageGroup } from './page-groups.ts';
import { rangeOf, sumRanges } from './ranges.ts';
import { type InputTokens, inputTokens, outputTokens } from './token-counts.ts';

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
  readonly newCalls: Range;
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
  };
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
  meanThoughts: MeanThoughts,
): Lane[] {
  const ofPhase = forecasts.filter(({ phase }) => phase === group.phase);
  const roles = Map.groupBy(ofPhase, ({ asked }) => (asked === 'study' ? asked : JSON.stringify(asked)));
  return [...roles.values()].map((calls) => laneOf(spec, group, calls, tasks, freshOf, meanThoughts));
}

/** New calls of one kind, and their tokens. */
interface Asked {
  readonly answer: AnswerKind;
  /** Answers stored for this group, including those that another group asks for. */
  readonly samples: Range;
  readonly calls: Range;
  readonly differentPrograms: Range;
  readonly input: Range;
  readonly output: Range;
  /** Null where the price is unknown. */
  readonly usd: LaneEstimate['usd'];
}

function laneOf(
  spec: Spec,
  group: PageGroup,
  forecasts: readonly CallForecast[],
  tasks: readonly Task[],
  freshOf: FreshOf,
  meanThoughts: MeanThoughts,
): Lane {
  const asked = forecasts[0]?.asked ?? 'study';
  const answeringModel = asked === 'study' ? group.model : asked.model;
  const isSimulated = providerFacts(spec, modelOf(spec, answeringModel)).simulated;
  const fresh = forecasts.map((forecast) => freshOf(group, { model: answeringModel, isSimulated }, forecast));
  const effort = askedEffort(spec, group.study, answeringModel, asked);
  const measured = meanThoughts(group.study.name, answeringModel);
  const thinking = { effort, measured, expected: expectedThoughts(measured, effort) };
  const news = newAsked(spec, group, { model: answeringModel, thoughts: thinking.expected }, forecasts, tasks, fresh);
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
    isVariants: group.phase === 'variants',
    isBatched: isBatched(spec, group, answeringModel),
    openPages: group.openPages,
    inSeries: sumRanges(forecasts.map(({ inSeries }) => inSeries)),
    programs: sumRanges(programs.map(({ calls }) => calls)),
    differentPrograms: sumRanges(programs.map((asked) => asked.differentPrograms)),
    isMeasured: studyOf(group.study).measuredAt !== undefined,
  };
}

function newAsked(
  spec: Spec,
  group: PageGroup,
  { model: answeringModel, thoughts }: { readonly model: string; readonly thoughts: number },
  forecasts: readonly CallForecast[],
  tasks: readonly Task[],
  fresh: readonly Fresh[],
): Asked[] {
  const effort = effortOf(group.study);
  const longestQuoted = longest(spec, group.model, group.study.settings.maxTokens, effort);
  const news = newCalls(group, forecasts);
  return forecasts.flatMap((forecast, index) => {
    const [samples, own] = [news[index], fresh[index]];
    if (samples === undefined || own === undefined) return [];
    const calls = rangeOf((bound) => samples[bound] * own.share);
    const input = inputTokens(forecast, tasks, longestQuoted);
    const spoken = outputTokens(
      forecast.answer,
      tasks,
      longest(spec, answeringModel, forecast.maxTokens, forecast.asked === 'study' ? effort : null),
    );
    const output = { ...spoken, expected: Math.min(spoken.maximum, spoken.expected + thoughts) };
    return {
      ...{ answer: forecast.answer, samples, calls, differentPrograms: times(calls, own.programs) },
      ...{ input: times(calls, input), output: times(calls, output) },
      usd: usdRange({ spec, group, modelId: answeringModel }, calls, input, output),
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
  'newCalls' | 'newInputTokens' | 'newOutputTokens' | 'newTokens' | 'usd' | 'diskBytes'
>;

function newOf(asked: readonly Asked[], logprobs: boolean): NewPart {
  const [newCalls, newInputTokens, newOutputTokens] = [
    rounded(sumRanges(asked.map(({ calls }) => calls))),
    rounded(sumRanges(asked.map(({ input }) => input))),
    rounded(sumRanges(asked.map(({ output }) => output))),
  ];
  return {
    newCalls,
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

/** Token limit of an answer, including the model's own parameters. */
function longest(spec: Spec, modelId: string, maxTokens: number | null, effort: ReasoningEffort | null): number {
  const model = modelOf(spec, modelId);
  const decoding = decodingOf(maxTokens, effort);
  const limit = outputLimit(chatRequest(modelId, [], decoding, model.parameters ?? {}).parameters);
  return limit ?? priceOf(model, spec.providers[model.provider])?.contextWindow ?? assumedCeiling;
}

/** Minimum and expected at the current price; maximum as a reservation counts it. */
function usdRange(
  { spec, group, modelId }: { readonly spec: Spec; readonly group: PageGroup; readonly modelId: string },
  calls: Range,
  input: InputTokens,
  output: Range,
): LaneEstimate['usd'] {
  const model = modelOf(spec, modelId);
  if (!providerFacts(spec, model).paid) return { low: 0, expected: 0, high: 0 };
  const full = priceOf(model, spec.providers[model.provider]);
  if (full === null) return null;
  const price = isBatched(spec, group, modelId) ? batchPriceOf(full, model) : full;
  const now = new Date();
  const usd = (at: Price, bound: 'minimum' | 'expected'): number => {
    const tokens = { inputTokens: Math.round(input[bound]), outputTokens: Math.round(output[bound]) };
    return calls[bound] * at.usdOf({ ...tokens, cachedTokens: null, reasoningTokens: null }, now);
  };
  const most = { input: input.maximum, output: mostOutputTokens(output.maximum, 1) };
  const high = price.mostUsd(most, now, input.longest);
  return { low: usd(price, 'minimum'), expected: usd(price, 'expected'), high: calls.maximum * high };
}

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
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
