/** What one model is asked in one role: calls, tokens, money and bytes, apart from what is answered already. */
import { chatRequest, outputLimit } from '../../domain/chat-request.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { AnswerKind, CallForecast, Range } from '../../studies/forecast.ts';
import { isRobunfr } from '../../studies/robunfr/steps.ts';
import { type Price, priceOf } from '../prices.ts';
import { assumedCeiling, mostOutputTokens } from '../token-usage.ts';
import { diskBytes } from './disk.ts';
import type { Fresh, FreshOf } from './fresh-questions.ts';
import type { PageGroup } from './page-groups.ts';
import { rangeOf, sumRanges } from './ranges.ts';
import { type InputTokens, inputTokens, outputTokens } from './token-counts.ts';

export interface LaneEstimate {
  readonly study: string;
  /** Under study; null where the answers serve all of them, as prompt variants do. */
  readonly model: string | null;
  /** `study`, or what the asked model does beside it. */
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
  /** Of the new calls. Null where the price is unknown; 0 for simulated and replayed models. */
  readonly usd: { readonly low: number; readonly expected: number; readonly high: number } | null;
  /** For the calls that are reused. */
  readonly spentUsd: number;
  /** Of the new samples. */
  readonly diskBytes: Range;
}

/** A row with what its time depends on. */
export interface Lane {
  readonly estimate: LaneEstimate;
  readonly isVariants: boolean;
  readonly openPages: number;
  /** Calls that wait for one another, of one cell. */
  readonly inSeries: Range;
  /** New programs, before equal ones are counted once. */
  readonly programs: Range;
  /** Of these, the ones that differ. */
  readonly differentPrograms: Range;
  /** Whether its study wants their quality and time. */
  readonly isMeasured: boolean;
}

/** The rows of one study and model: one per role, those of one step counted together. */
export function lanesOf(
  spec: Spec,
  group: PageGroup,
  forecasts: readonly CallForecast[],
  tasks: readonly Task[],
  freshOf: FreshOf,
): Lane[] {
  const ours = forecasts.filter(({ phase }) => phase === group.phase);
  const roles = Map.groupBy(ours, ({ asked }) => (asked === 'study' ? 'study' : asked.role));
  return [...roles].map(([role, calls]) => laneOf(spec, group, role, calls, tasks, freshOf));
}

/** New calls of one kind, and their tokens. */
interface Asked {
  readonly answer: AnswerKind;
  /** Kept for this group, those that another group asks for among them. */
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
  role: string,
  forecasts: readonly CallForecast[],
  tasks: readonly Task[],
  freshOf: FreshOf,
): Lane {
  const asked = forecasts[0]?.asked ?? 'study';
  const answeringModel = asked === 'study' ? group.model : asked.model;
  const isSimulated = modelOf(spec, answeringModel).provider === 'simulated';
  const fresh = forecasts.map((forecast) => freshOf(group, { model: answeringModel, isSimulated }, forecast));
  const news = newAsked(spec, group, answeringModel, forecasts, tasks, fresh);
  const programs = news.filter(({ answer }) => answer === 'program');
  return {
    estimate: {
      study: group.study.name,
      model: group.phase === 'variants' ? null : group.model,
      role,
      answeringModel,
      cells: group.cells,
      sealedCells: group.sealedCells,
      ...reusedOf(group, forecasts),
      ...newOf(news, asksLogprobs(spec, answeringModel, forecasts)),
    },
    isVariants: group.phase === 'variants',
    openPages: group.openPages,
    inSeries: sumRanges(forecasts.map(({ inSeries }) => inSeries)),
    programs: sumRanges(programs.map(({ calls }) => calls)),
    differentPrograms: sumRanges(programs.map((asked) => asked.differentPrograms)),
    isMeasured: isRobunfr(group.study),
  };
}

function newAsked(
  spec: Spec,
  group: PageGroup,
  answeringModel: string,
  forecasts: readonly CallForecast[],
  tasks: readonly Task[],
  fresh: readonly Fresh[],
): Asked[] {
  const longestQuoted = longest(spec, group.model, group.study.settings.maxTokens);
  const news = newCalls(group, forecasts);
  return forecasts.flatMap((forecast, index) => {
    const [samples, own] = [news[index], fresh[index]];
    if (samples === undefined || own === undefined) return [];
    const calls = rangeOf((bound) => samples[bound] * own.share);
    const input = inputTokens(forecast, tasks, longestQuoted);
    const output = outputTokens(forecast.answer, tasks, longest(spec, answeringModel, forecast.maxTokens));
    return {
      ...{ answer: forecast.answer, samples, calls, differentPrograms: times(calls, own.programs) },
      ...{ input: times(calls, input), output: times(calls, output) },
      usd: usdRange(spec, answeringModel, calls, input, output),
    };
  });
}

function reusedOf(group: PageGroup, forecasts: readonly CallForecast[]): Pick<LaneEstimate, 'reusedCalls' | 'reusedTokens' | 'spentUsd'> {
  const reused = [...new Set(forecasts.map(({ step }) => step))].map((step) => group.answered(step));
  return {
    reusedCalls: sum(reused.map(({ samples }) => samples)),
    reusedTokens: sum(reused.map(({ tokens }) => tokens)),
    spentUsd: sum(reused.map(({ usd }) => usd)),
  };
}

type NewPart = Pick<LaneEstimate, 'newCalls' | 'newInputTokens' | 'newOutputTokens' | 'newTokens' | 'usd' | 'diskBytes'>;

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

/** What the open pages are expected to ask, less what they were answered, which comes off the earlier of a step's questions first. */
function newCalls(group: PageGroup, forecasts: readonly CallForecast[]): Range[] {
  const openCells = group.cells - group.sealedCells;
  const left = new Map(forecasts.map(({ step }) => [step, rangeOf(() => group.answered(step).open)]));
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

const modelOf = (spec: Spec, id: string): SpecModel => spec.models.find((model) => model.id === id) as SpecModel;

/** Most tokens of an answer, the model's own parameters counted. */
function longest(spec: Spec, modelId: string, maxTokens: number | null): number {
  const model = modelOf(spec, modelId);
  const decoding = maxTokens === null ? {} : { maxTokens };
  const limit = outputLimit(chatRequest(modelId, [], decoding, model.parameters ?? {}).parameters);
  return limit ?? priceOf(model, spec.providers[model.provider])?.contextWindow ?? assumedCeiling;
}

/** At least and as expected at the price of this minute, at most as a reservation counts it. */
function usdRange(spec: Spec, modelId: string, calls: Range, input: InputTokens, output: Range): LaneEstimate['usd'] {
  const model = modelOf(spec, modelId);
  const account = spec.providers[model.provider];
  if (account?.kind !== 'openai') return { low: 0, expected: 0, high: 0 };
  const price = priceOf(model, account);
  if (price === null) return null;
  const now = new Date();
  const usd = (at: Price, bound: 'minimum' | 'expected'): number => {
    const tokens = { inputTokens: Math.round(input[bound]), outputTokens: Math.round(output[bound]) };
    return calls[bound] * at.usdOf({ ...tokens, cachedTokens: null, reasoningTokens: null }, now);
  };
  const most = { input: input.maximum, output: mostOutputTokens(output.maximum, 1) };
  const high = price.mostUsd(most, now, input.longest);
  return { low: usd(price, 'minimum'), expected: usd(price, 'expected'), high: calls.maximum * high };
}

/** Unknown as soon as one is. */
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
