/** One request as the ledger and a provider see it, and what it costs. */
import { chatRequest, outputLimit, withoutStudyLimit } from '../../domain/chat-request.ts';
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import { effortOf } from '../../domain/spec/efforts.ts';
import type { CallCoordinates, ChatReply, ChatRequest } from '../../schemas/chat.ts';
import type { At, Question } from '../../studies/cell-state.ts';
import { callKey } from './call-key.ts';
import type { PageCell } from '../pages/cell-states.ts';
import type { Provider, ProviderFault } from '../providers/provider.ts';
import type { AskedModel } from './asked-model.ts';
import type { RunPage } from '../runs/opened/run.ts';
import type { CallToReserve } from '../storage/ledger/call-book.ts';
import type { Charge } from '../storage/ledger/records.ts';
import {
  assumedCeiling,
  mostInputTokens,
  mostOutputTokens,
  plausibleUsageOf,
  type RequestBounds,
  type TokenBounds,
  type TokenUsage,
} from './token-usage.ts';

/** Consecutive samples of one question that one request asks for. */
export type Draws = readonly [At, ...At[]];

export interface Call {
  /** Whether it sends the limit that its study sets. */
  readonly sendsStudyLimit: boolean;
  readonly reserve: CallToReserve;
  /** Highest token counts that the call can reach. */
  readonly bounds: RequestBounds;
  readonly request: ChatRequest;
  readonly coordinates: CallCoordinates;
  /** Charged to its account in advance. */
  readonly expected: TokenBounds;
}

/** A question and the model to ask. */
export interface PutQuestion {
  readonly model: AskedModel;
  readonly question: Question;
}

/** The study's question, with the effort at which the study asks the model under study. */
export function questionOf(page: RunPage, cell: PageCell, at: At): Question {
  const question = page.kind.question(page.study, cell, at);
  const effort = page.phase === 'variants' || question.asked !== 'study' ? null : effortOf(page.study);
  if (effort === null) return question;
  return { ...question, parameters: { ...question.parameters, reasoningEffort: effort } };
}

export function questionAt(page: RunPage, cell: PageCell, at: At): PutQuestion {
  const question = questionOf(page, cell, at);
  return { question, model: page.run.model(question.asked === 'study' ? page.model : question.asked.model) };
}

/** The request for one answer. */
export const requestOf = ({ model, question }: PutQuestion): ChatRequest =>
  chatRequest(model.requestedModel, question.messages, question.parameters, model.parameters);

/** SHA-256 of the request without white space that says nothing; null where all of it counts. */
export function plainSha256Of({ model, question }: PutQuestion): string | null {
  const { plainMessages: messages } = question;
  return messages === undefined
    ? null
    : sha256(canonicalJson(requestOf({ model, question: { ...question, messages } })));
}

/** A strict model must not reuse answers accepted under a non-strict one, whose version was not checked. */
export const strictEndpoint = (
  { strictVersion }: Pick<AskedModel, 'strictVersion'>,
  endpointIdentity: string,
): string => (strictVersion ? `${endpointIdentity}\0strict` : endpointIdentity);

/** @param provider of the model */
export function callFor(
  page: RunPage,
  cell: PageCell,
  draws: Draws,
  asked: PutQuestion,
  provider: Pick<Provider, 'endpointIdentity' | 'identityOf'>,
): Call {
  const { model, question } = asked;
  const canonical = requestOf(asked);
  // The key stays that of the study's request: whether a model thinks is known only after its first answers.
  const unlimited = withoutStudyLimit(canonical, model.parameters);
  const request = page.run.reasoners.thinks(model.id) ? unlimited : canonical;
  const requestText = canonicalJson(canonical);
  const requestSha256 = sha256(requestText);
  const plainSha256 = plainSha256Of(asked);
  const bounds = boundsOf(model, request, draws.length);
  const expected = expectedTokens(bounds, requestText);
  const sample = question.sample ?? draws[0].sample;
  const most = mostUsdOf(model, bounds);
  const coordinates = {
    ...{ ...page.coordinates(cell), ...draws[0], sample, requestSha256 },
    ...(plainSha256 !== null && { plainSha256 }),
  };
  const keyOf = (at: At, place: number): string => {
    const drawn = { ...coordinates, sample: sample + place };
    const identity = provider.identityOf?.(canonical, drawn) ?? provider.endpointIdentity;
    const endpoint = strictEndpoint(model, identity);
    return callKey(endpoint, requestSha256, { ...at, sample: drawn.sample }, cell.cell.repetition, question.draw);
  };
  return {
    bounds,
    expected,
    sendsStudyLimit: request !== unlimited,
    request: draws.length === 1 ? request : { ...request, n: draws.length },
    coordinates,
    reserve: {
      key: { page: page.page, cell: cell.index, ...draws[0] },
      callKeys: draws.map(keyOf),
      model: page.model,
      answeringModel: model.id,
      parametersSent: canonicalJson(request.parameters),
      maxUsd: most,
      estimatedUsd: most,
      estimatedTokens: bounds.input + bounds.output,
      maxTokens: bounds.input + bounds.output,
      free: model.free,
      ...(isBatched(page, model) && { inBatch: inBatch(model, bounds) }),
    },
  };
}

/** Whether the page's calls to the model wait for a batch. Variants are written draw by draw, so theirs do not. */
export const isBatched = ({ phase }: Pick<RunPage, 'phase'>, { asksInBatches }: AskedModel): boolean =>
  asksInBatches && phase === 'study';

/** Whether the page's calls may wait in batches that were made before the model's mode was changed. */
export const wasBatched = ({ phase, run }: Pick<RunPage, 'phase' | 'run'>, { id }: AskedModel): boolean =>
  phase === 'study' && run.leftInBatches.has(id);

function inBatch(model: AskedModel, bounds: TokenBounds): NonNullable<CallToReserve['inBatch']> {
  const most = mostUsdOf({ free: model.free, price: model.batchPrice }, bounds);
  return { maxUsd: most, estimatedUsd: most };
}

/** The most that a call within these bounds costs; null if the price is unknown. */
const mostUsdOf = ({ free, price }: Pick<AskedModel, 'free' | 'price'>, bounds: TokenBounds): number | null =>
  free ? 0 : (price?.mostUsd(bounds, new Date()) ?? null);

/** An answer without a limit may fill the model's context window. */
function boundsOf({ price }: AskedModel, { messages, parameters }: ChatRequest, answers: number): RequestBounds {
  const window = price?.contextWindow ?? assumedCeiling;
  return {
    input: mostInputTokens(messages),
    output: mostOutputTokens(outputLimit(parameters) ?? window, answers),
    window: answers * window,
  };
}

/** For the account's limits: a token per four characters of the request, and a quarter of the longest answer. */
const expectedTokens = ({ input, output }: TokenBounds, requestText: string): TokenBounds => ({
  input: Math.min(input, Math.ceil(requestText.length / 4)),
  output: Math.ceil(output / 4),
});

/**
 * @param first reports the tokens of the whole call; where it does not, the call is charged at the most that it can
 *   cost, also if its answer is whole: its text does not tell how much was thought
 */
export function chargeOf(
  model: Pick<AskedModel, 'free' | 'price'>,
  first: TokenUsage & Pick<ChatReply, 'usageReported'>,
  call: Pick<CallToReserve, 'estimatedUsd'>,
  sentAt: Date,
): Charge {
  const { inputTokens, outputTokens, usageReported = null } = first;
  const {
    cacheWriteTokens = null,
    inputAudioTokens = null,
    outputAudioTokens = null,
    cachedTokens,
    reasoningTokens,
  } = first;
  const apart = { cachedTokens, cacheWriteTokens, inputAudioTokens, reasoningTokens, outputAudioTokens };
  const tokens = { inputTokens, outputTokens, ...apart, usageReported };
  if (model.free) return { ...tokens, usd: 0, basis: 'free', priceDate: null };
  if (!model.price) return { ...tokens, usd: null, basis: 'reported', priceDate: null };
  const priceDate = model.price.source;
  if (inputTokens === null || outputTokens === null)
    return { ...tokens, usd: call.estimatedUsd, basis: 'estimated', priceDate };
  return {
    ...tokens,
    usd: model.price.usdOf({ ...apart, inputTokens, outputTokens }, sentAt),
    basis: 'reported',
    priceDate,
  };
}

const noUsage = { inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null };

type FaultyCall = Pick<CallToReserve, 'free' | 'estimatedUsd' | 'maxTokens'>;

/** By the usage that came without a usable answer, if there is one. @param sentAt when the call was sent */
export function faultChargeOf(
  model: Pick<AskedModel, 'free' | 'price'>,
  fault: Pick<ProviderFault, 'maybeBilled' | 'usage'>,
  { reserve, bounds }: Pick<Call, 'bounds'> & { readonly reserve: FaultyCall },
  sentAt: Date,
): Charge {
  if (fault.usage === null) return faultCharge(fault, reserve);
  return chargeOf(model, plausibleUsageOf(fault.usage, bounds), reserve, sentAt);
}

export function faultCharge(fault: Pick<ProviderFault, 'maybeBilled'>, call: FaultyCall): Charge {
  const none = { ...noUsage, priceDate: null };
  if (call.free) return { ...none, usd: 0, basis: 'free' };
  return fault.maybeBilled
    ? { ...none, usd: call.estimatedUsd, basis: 'estimated', assumedTokens: call.maxTokens }
    : { ...none, usd: 0, basis: 'reported' };
}
