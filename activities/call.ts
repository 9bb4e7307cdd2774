/** One request as the ledger and a provider see it, and what it costs. */
import { chatRequest, maxOutputTokens } from '../domain/chat-request.ts';
import { canonicalJson, sha256 } from '../domain/ids.ts';
import type { CallCoordinates, ChatReply, ChatRequest } from '../schemas/chat.ts';
import type { At, Question } from '../studies/study.ts';
import { callKey } from './call-key.ts';
import type { PageCell } from './cell-states.ts';
import { usdOf } from './prices.ts';
import type { ProviderFault } from './providers/provider.ts';
import type { AskedModel, RunPage } from './runs.ts';
import type { CallToReserve, Charge } from './storage/ledger.ts';

/** Samples of one question, following one another, that one request asks for. */
export type Draws = readonly [At, ...At[]];

export interface Call {
  readonly reserve: CallToReserve;
  readonly request: ChatRequest;
  readonly coordinates: CallCoordinates;
}

/** A question with the model that it is put to. */
export interface PutQuestion {
  readonly model: AskedModel;
  readonly question: Question;
}

export function questionAt(page: RunPage, cell: PageCell, at: At): PutQuestion {
  const question = page.kind.question(page.study, cell, at);
  return { question, model: page.run.model(question.asked === 'study' ? page.model : question.asked.model) };
}

/** What is asked for one answer. */
export const requestOf = ({ model, question }: PutQuestion): ChatRequest =>
  chatRequest(model.requestedModel, question.messages, question.parameters, model.parameters);

/** @param endpointIdentity of the model's provider */
export function callFor(page: RunPage, cell: PageCell, draws: Draws, asked: PutQuestion, endpointIdentity: string): Call {
  const { model, question } = asked;
  const request = requestOf(asked);
  const requestText = canonicalJson(request);
  const requestSha256 = sha256(requestText);
  // A strict model takes no answer that was accepted for another model without a look at its version.
  const endpoint = model.strictVersion ? `${endpointIdentity}\0strict` : endpointIdentity;
  const inputTokens = Math.ceil(requestText.length / 4);
  const outputTokens = maxOutputTokens(request.parameters) * draws.length;
  const usd = (out: number) => (model.free ? 0 : model.price && usdOf(model.price, inputTokens, out));
  return {
    request: draws.length === 1 ? request : { ...request, n: draws.length },
    coordinates: { ...page.coordinates(cell), ...draws[0], requestSha256 },
    reserve: {
      key: { page: page.page, cell: cell.index, ...draws[0] },
      callKeys: draws.map((at) => callKey(endpoint, requestSha256, at, cell.cell.repetition, question.draw)),
      model: page.model,
      answeringModel: model.id,
      parametersSent: canonicalJson(request.parameters),
      maxUsd: usd(outputTokens),
      estimatedUsd: usd(outputTokens / 4),
      estimatedTokens: inputTokens + Math.ceil(outputTokens / 4),
      maxTokens: inputTokens + outputTokens,
      free: model.free,
    },
  };
}

/** `first` is the reply that has the tokens of all. */
export function chargeOf(model: AskedModel, first: ChatReply, call: CallToReserve): Charge {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens } = first;
  const tokens = { inputTokens, cachedTokens, outputTokens, reasoningTokens };
  if (model.free) return { ...tokens, usd: 0, basis: 'free', priceDate: null };
  if (!model.price) return { ...tokens, usd: null, basis: 'reported', priceDate: null };
  const priceDate = model.price.source;
  if (inputTokens === null || outputTokens === null) return { ...tokens, usd: call.estimatedUsd, basis: 'estimated', priceDate };
  return { ...tokens, usd: usdOf(model.price, inputTokens, outputTokens), basis: 'reported', priceDate };
}

export function faultCharge(fault: ProviderFault, call: CallToReserve): Charge {
  const none = { inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null, priceDate: null };
  if (call.free) return { ...none, usd: 0, basis: 'free' };
  return fault.maybeBilled ? { ...none, usd: call.estimatedUsd, basis: 'estimated' } : { ...none, usd: 0, basis: 'reported' };
}
