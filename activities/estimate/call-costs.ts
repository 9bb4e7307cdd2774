/** What the new calls of one kind cost. */
import { providerFacts } from '../../domain/spec/provider-facts.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Range } from '../../studies/forecast.ts';
import { batchPriceOf, type Price, priceOf } from '../calls/prices.ts';
import { mostOutputTokens } from '../calls/token-usage.ts';
import type { AnswerLimit } from './answer-limit.ts';
import type { InputTokens } from './token-counts.ts';

export interface CallCosts {
  /** Null where the price is unknown. */
  readonly usd: { readonly low: number; readonly expected: number; readonly high: number } | null;
  /**
   * Most that one call costs without the limit of the study, which is not sent to a model that thinks. Null if there
   * are not any calls, they cost nothing, or no such limit is sent in any case.
   */
  readonly unlimitedCallUsd: number | null;
}

interface Asking {
  readonly spec: Spec;
  readonly isBatched: boolean;
  readonly model: SpecModel;
}

interface Counts {
  readonly calls: Range;
  /** At most as many: one may ask for several answers, and its prompt is paid for once. */
  readonly requests: Range;
  /** Most calls of this kind in the group, also those that are answered. */
  readonly whole: number;
  readonly input: InputTokens;
  readonly output: Range;
  readonly limit: AnswerLimit;
}

/** Minimum and expected at the current price; maximum as a reservation counts it. */
export function costOf({ spec, isBatched, model }: Asking, counts: Counts): CallCosts {
  if (!providerFacts(spec, model).paid) return { usd: { low: 0, expected: 0, high: 0 }, unlimitedCallUsd: null };
  const full = priceOf(model, spec.providers[model.provider]);
  if (full === null) return { usd: null, unlimitedCallUsd: null };
  const price = isBatched ? batchPriceOf(full, model) : full;
  const { calls, requests, input, output, limit } = counts;
  const now = new Date();
  const usd = (bound: 'minimum' | 'expected'): number => {
    const answers = requests[bound] === 0 ? 0 : calls[bound] / requests[bound];
    const tokens = { inputTokens: Math.round(input[bound]), outputTokens: Math.round(output[bound] * answers) };
    return requests[bound] * price.usdOf({ ...tokens, cachedTokens: null, reasoningTokens: null }, now);
  };
  const ofOne = (tokens: number): number =>
    price.mostUsd({ input: input.longest, output: mostOutputTokens(tokens, 1) }, now);
  const isLimited = limit.asStudied !== limit.ifThinking && calls.maximum > 0;
  return {
    usd: { low: usd('minimum'), expected: usd('expected'), high: highUsd(price, counts, now) },
    unlimitedCallUsd: isLimited ? ofOne(limit.ifThinking) : null,
  };
}

/** Calls that are left may have the longest prompts, but all calls together do not cost more than all at the mean. */
function highUsd(price: Price, { calls, whole, input, output }: Counts, now: Date): number {
  const most = mostOutputTokens(output.maximum, 1);
  const ofMean = price.mostUsd({ input: input.maximum, output: most }, now, input.longest);
  const ofLongest = price.mostUsd({ input: input.longest, output: most }, now);
  return Math.min(whole * ofMean, calls.maximum * ofLongest);
}
