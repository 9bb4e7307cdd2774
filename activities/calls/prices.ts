/**
 * Cost of calls: from the spec's own price, or from the dated price list, by the account's provider and the model's
 * name. Unknown is null, never zero. Why `mostUsd` is an upper bound:
 * docs/decisions/providers/0033-cost-upper-bound.md.
 */
import {
  calcPrice,
  findProvider,
  type ModelInfo,
  type ModelPrice,
  type Provider,
  type Usage,
} from '@pydantic/genai-prices';
import type { SpecAccount, SpecModel } from '../../schemas/spec.ts';
import type { TokenBounds, TokenUsage } from './token-usage.ts';

/** Name of the list in the manifest; `datedList` adds its publication date. */
export const priceList = '@pydantic/genai-prices 0.1.8';
const datedList = `${priceList}, 2026-09-23`;

export interface Price {
  /** Source of the price, for the `price_date` column. */
  readonly source: string;
  /** Most tokens of a prompt and its answers together; null if the list does not say. */
  readonly contextWindow: number | null;
  /** Cost of a call with these counts at that time. */
  usdOf(usage: BilledUsage, at: Date): number;
  /**
   * Highest cost of a call within these bounds, sent within a day of `from`.
   * @param longestInput tokens of the longest prompt, if `bounds` are means over several
   */
  mostUsd(bounds: TokenBounds, from: Date, longestInput?: number): number;
}

/** Token counts with known totals for input and output. */
export type BilledUsage = TokenUsage & { readonly inputTokens: number; readonly outputTokens: number };

/** Null if neither the spec nor the list has a price for the model. */
export function priceOf(model: SpecModel, account: Pick<SpecAccount, 'baseUrl'> | undefined): Price | null {
  const listed = listedModel(model.model ?? model.id, account?.baseUrl);
  if (model.price) return fixedPrice(model.price, listed?.model.context_window ?? null);
  return listed && listedPrice(listed);
}

function fixedPrice(price: NonNullable<SpecModel['price']>, contextWindow: number | null): Price {
  const usd = (input: number, output: number): number =>
    (input * price.inputUsdPerMillion + output * price.outputUsdPerMillion) / 1_000_000;
  return {
    source: 'spec',
    contextWindow,
    usdOf: ({ inputTokens, outputTokens }) => usd(inputTokens, outputTokens),
    mostUsd: ({ input, output }) => usd(input, output),
  };
}

/** What an endpoint usually takes for a call in a batch: OpenAI, Anthropic, Google, Mistral and Groq all do. */
const usualBatchShare = 0.5;

export const batchShareOf = ({ batchPriceShare = usualBatchShare }: SpecModel): number => batchPriceShare;

export function batchPriceOf(price: Price, model: SpecModel): Price {
  const share = batchShareOf(model);
  return {
    source: `${price.source}, in a batch`,
    contextWindow: price.contextWindow,
    usdOf: (usage, at) => share * price.usdOf(usage, at),
    mostUsd: (bounds, from, longestInput) => share * price.mostUsd(bounds, from, longestInput),
  };
}

interface ListedModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
}

/**
 * For a host that the list knows, only that provider's prices count: another vendor's price for the same name would be
 * a guess. For an unknown host (a gateway, a region), the price comes from the vendor that the name suggests.
 */
function listedModel(name: string, baseUrl: string | undefined): ListedModel | null {
  const host = baseUrl === undefined ? undefined : findProvider({ providerApiUrl: baseUrl });
  const found = calcPrice({}, name, host === undefined ? {} : { providerId: host.id });
  return found === null ? null : { provider: found.provider, model: found.model };
}

function listedPrice({ provider, model }: ListedModel): Price {
  // Only this model, so that its name is not searched for at every call, and only the prices that calls can have.
  const only: Provider = {
    ...provider,
    models: [{ ...model, match: { equals: model.id }, prices: pricesOfCalls(model) }],
  };
  const calculated = (usage: Usage, timestamp: Date) => calcPrice(usage, model.id, { provider: only, timestamp });
  const pricesAt = (at: Date): ModelPrice => calculated({}, at)?.model_price ?? {};
  let reachable: { readonly fromMs: number; readonly prices: readonly ModelPrice[] } | undefined;
  const reachableFrom = (from: Date): readonly ModelPrice[] => {
    const age = reachable === undefined ? Infinity : from.getTime() - reachable.fromMs;
    if (reachable === undefined || age < 0 || age > hourMs)
      reachable = { fromMs: from.getTime(), prices: changesAfter(model, from).map(pricesAt) };
    return reachable.prices;
  };
  return {
    source: datedList,
    contextWindow: model.context_window ?? null,
    usdOf: (usage, at) => calculated(listUsage(usage), at)?.total_price ?? 0,
    mostUsd: (bounds, from, longestInput = bounds.input) =>
      Math.max(...reachableFrom(from).map((prices) => mostOf(prices, bounds, longestInput))),
  };
}

/**
 * The counts under the list's names, without parts that are 0. The list rejects parts that
 * exceed their total or overlap.
 */
function listUsage(usage: BilledUsage): Usage {
  const { inputTokens, outputTokens } = usage;
  const audio = Math.min(usage.inputAudioTokens ?? 0, inputTokens);
  // For a prompt with audio, the list needs to know how much of the audio was cached, which no endpoint reports.
  const cached = audio > 0 ? 0 : Math.min(usage.cachedTokens ?? 0, inputTokens);
  const written = audio > 0 ? 0 : Math.min(usage.cacheWriteTokens ?? 0, inputTokens - cached);
  const spoken = Math.min(usage.outputAudioTokens ?? 0, outputTokens);
  const thought = Math.min(usage.reasoningTokens ?? 0, outputTokens - spoken);
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(cached > 0 && { cache_read_tokens: cached }),
    ...(written > 0 && { cache_write_tokens: written }),
    ...(audio > 0 && { input_audio_tokens: audio }),
    ...(thought > 0 && { output_reasoning_tokens: thought }),
    ...(spoken > 0 && { output_audio_tokens: spoken }),
  };
}

/** Prices that may apply to a count of `listUsage`. */
const inputKeys = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'input_audio_mtok'] as const;
const outputKeys = ['output_mtok', 'output_reasoning_mtok', 'output_audio_mtok'] as const;

function mostOf(prices: ModelPrice, { input, output }: TokenBounds, longestInput: number): number {
  const highest = (keys: readonly string[]): number =>
    Math.max(...keys.map((key) => highestRate(prices[key], longestInput)));
  const perRequest = highestRate(prices['requests_kcount'], longestInput) / 1000;
  return (input * highest(inputKeys) + output * highest(outputKeys)) / 1_000_000 + perRequest;
}

/** The list's tiers depend on the length of the prompt, and apply to the whole call. */
function highestRate(price: ModelPrice[string], longestInput: number): number {
  if (price === undefined || typeof price === 'number') return price ?? 0;
  return Math.max(price.base, ...price.tiers.filter(({ start }) => start < longestInput).map((tier) => tier.price));
}

/** If a model has prices for cached and for audio tokens, the list also needs one for cached audio. */
const usedKeys: ReadonlySet<string> = new Set([
  ...inputKeys,
  ...outputKeys,
  'cache_audio_read_mtok',
  'requests_kcount',
]);

/** Drops prices of searches, images and so on; the list would spend time on each of them at every call. */
function pricesOfCalls({ prices }: ModelInfo): ModelInfo['prices'] {
  const used = (all: ModelPrice): ModelPrice =>
    Object.fromEntries(Object.entries(all).filter(([key]) => usedKeys.has(key)));
  return Array.isArray(prices) ? prices.map((one) => ({ ...one, prices: used(one.prices) })) : used(prices);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A day for the call to be sent and answered, plus the hour for which prices are cached. */
const horizonMs = dayMs + hourMs;

/** `from`, and the times within the horizon when another price applies: by date, or by hour of the day. */
function changesAfter({ prices }: ModelInfo, from: Date): Date[] {
  const constraints = Array.isArray(prices) ? prices.flatMap(({ constraint }) => constraint ?? []) : [];
  const times = constraints.flatMap((constraint) =>
    constraint.type === 'start_date'
      ? [Date.parse(constraint.start_date)]
      : [constraint.start_time, constraint.end_time].map((time) => nextAt(time, from.getTime())),
  );
  const later = times.filter((time) => time > from.getTime() && time <= from.getTime() + horizonMs);
  return [from, ...later.map((time) => new Date(time))];
}

/** The next time that it is `HH:MM:SSZ`, in milliseconds. */
function nextAt(time: string, fromMs: number): number {
  const ofDay = Date.parse(`1970-01-01T${time}`);
  return fromMs + ((((ofDay - fromMs) % dayMs) + dayMs) % dayMs);
}
