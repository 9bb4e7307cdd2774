/**
 * What calls cost: the spec's own price, or the dated price list, by the account's provider and the model's name. Unknown is null, never zero.
 * Why the bound is one: docs/decisions/0033-a-bound-that-holds.md.
 */
import { calcPrice, findProvider, type ModelInfo, type ModelPrice, type Provider, type Usage } from '@pydantic/genai-prices';
import type { SpecAccount, SpecModel } from '../schemas/spec.ts';
import type { TokenBounds, TokenUsage } from './token-usage.ts';

/** The list as the manifest names it, and with the day on which it was published. */
export const priceList = '@pydantic/genai-prices 0.1.8';
const datedList = `${priceList}, 2026-09-23`;

export interface Price {
  /** Where the price is from, for the `price_date` column. */
  readonly source: string;
  /** Tokens that a prompt and its answers may have together; null where the list does not say. */
  readonly contextWindow: number | null;
  /** Of a call with these counts at that time. */
  usdOf(usage: BilledUsage, at: Date): number;
  /** Of a call of which nothing is known but about how many tokens it has, sent within a day of `from`. */
  estimatedUsd(tokens: TokenBounds, from: Date): number;
  /**
   * The most that a call within these bounds may cost when it is sent within a day of `from`.
   * @param longestInput tokens of the longest prompt, where `bounds` are means over several
   */
  mostUsd(bounds: TokenBounds, from: Date, longestInput?: number): number;
}

/** Counts with a total of either direction. */
export type BilledUsage = TokenUsage & { readonly inputTokens: number; readonly outputTokens: number };

/** Null for a model whose price is neither in the spec nor in the list. */
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
    estimatedUsd: ({ input, output }) => usd(input, output),
    mostUsd: ({ input, output }) => usd(input, output),
  };
}

interface ListedModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
}

/**
 * A host that the list knows has the prices of that provider alone: another vendor's price for the name would be a guess. A host that it does
 * not know (a gateway, a region) has those of the vendor that the name points to.
 */
function listedModel(name: string, baseUrl: string | undefined): ListedModel | null {
  const host = baseUrl === undefined ? undefined : findProvider({ providerApiUrl: baseUrl });
  const found = calcPrice({}, name, host === undefined ? {} : { providerId: host.id });
  return found === null ? null : { provider: found.provider, model: found.model };
}

function listedPrice({ provider, model }: ListedModel): Price {
  // The one model, so that its name is looked for once and not with every call, and of its prices those that a call may have.
  const only: Provider = { ...provider, models: [{ ...model, match: { equals: model.id }, prices: pricesOfCalls(model) }] };
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
    estimatedUsd: (tokens, from) => Math.max(...reachableFrom(from).map((prices) => plainUsd(prices, tokens))),
    mostUsd: (bounds, from, longestInput = bounds.input) =>
      Math.max(...reachableFrom(from).map((prices) => mostOf(prices, bounds, longestInput))),
  };
}

/** The list's names of what is counted, without parts that are 0. It refuses parts that are more than their total, or that overlap. */
function listUsage(usage: BilledUsage): Usage {
  const { inputTokens, outputTokens } = usage;
  const audio = Math.min(usage.inputAudioTokens ?? 0, inputTokens);
  // Of a prompt with sound the list wants to know which part of the sound was cached, which no endpoint says.
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

/** Prices that a count of `listUsage` may be charged at. */
const inputKeys = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'input_audio_mtok'] as const;
const outputKeys = ['output_mtok', 'output_reasoning_mtok', 'output_audio_mtok'] as const;

function mostOf(prices: ModelPrice, { input, output }: TokenBounds, longestInput: number): number {
  const dearest = (keys: readonly string[]): number => Math.max(...keys.map((key) => dearestRate(prices[key], longestInput)));
  const perRequest = dearestRate(prices['requests_kcount'], longestInput) / 1000;
  return (input * dearest(inputKeys) + output * dearest(outputKeys)) / 1_000_000 + perRequest;
}

/** Nothing cached, thought or spoken. */
const plainUsd = (prices: ModelPrice, { input, output }: TokenBounds): number =>
  (input * dearestRate(prices['input_mtok'], input) + output * dearestRate(prices['output_mtok'], input)) / 1_000_000;

/** The list's tiers go by the length of the prompt, and hold for the whole call. */
function dearestRate(price: ModelPrice[string], longestInput: number): number {
  if (price === undefined || typeof price === 'number') return price ?? 0;
  return Math.max(price.base, ...price.tiers.filter(({ start }) => start < longestInput).map((tier) => tier.price));
}

/** The list wants a price for what is both cached and sound where it has one for each. */
const usedKeys: ReadonlySet<string> = new Set([...inputKeys, ...outputKeys, 'cache_audio_read_mtok', 'requests_kcount']);

/** Without those of searches, images and the like, each of which takes the list time with every call. */
function pricesOfCalls({ prices }: ModelInfo): ModelInfo['prices'] {
  const used = (all: ModelPrice): ModelPrice => Object.fromEntries(Object.entries(all).filter(([key]) => usedKeys.has(key)));
  return Array.isArray(prices) ? prices.map((one) => ({ ...one, prices: used(one.prices) })) : used(prices);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A day for the call to be sent and answered in, and the hour that the prices are kept for. */
const horizonMs = dayMs + hourMs;

/** `from`, and when within the horizon another price comes into force: prices of a date, and of hours of the day. */
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

/** The next time of day `HH:MM:SSZ`. */
function nextAt(time: string, fromMs: number): number {
  const ofDay = Date.parse(`1970-01-01T${time}`);
  return fromMs + ((((ofDay - fromMs) % dayMs) + dayMs) % dayMs);
}
