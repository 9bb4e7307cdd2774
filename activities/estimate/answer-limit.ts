/** The longest answer of a model: as its study limits it, and once that limit is not sent since the model thinks. */
import { chatRequest, decodingOf, outputLimit, withoutStudyLimit } from '../../domain/chat-request.ts';
import type { ReasoningEffort } from '../../schemas/spec/parameters.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import { priceOf } from '../calls/prices.ts';
import { assumedCeiling, mostBelieved, mostOutputTokens } from '../calls/token-usage.ts';

/** Tokens. Both are equal if no limit of the study is sent anyway, as with limits of the model's own. */
export interface AnswerLimit {
  readonly asStudied: number;
  readonly ifThinking: number;
}

export function answerLimit(
  spec: Spec,
  model: SpecModel,
  maxTokens: number | null,
  effort: ReasoningEffort | null,
): AnswerLimit {
  const own = model.parameters ?? {};
  const request = chatRequest(model.id, [], decodingOf(maxTokens, effort), own);
  const window = (): number => priceOf(model, spec.providers[model.provider])?.contextWindow ?? assumedCeiling;
  return {
    asStudied: outputLimit(request.parameters) ?? window(),
    ifThinking: outputLimit(withoutStudyLimit(request, own).parameters) ?? window(),
  };
}

/** Of a model whose endpoint counts more than the limit that it was given: as much as is believed. */
export function beyondLimit(spec: Spec, model: SpecModel, { ifThinking }: AnswerLimit): AnswerLimit {
  const window = priceOf(model, spec.providers[model.provider])?.contextWindow ?? assumedCeiling;
  const most = mostBelieved(mostOutputTokens(ifThinking, 1), window);
  return { asStudied: most, ifThinking: most };
}

export const longestOf = ({ asStudied, ifThinking }: AnswerLimit, thinks: boolean): number =>
  thinks ? ifThinking : asStudied;
