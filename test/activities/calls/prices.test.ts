import fc from 'fast-check';
import { findProvider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { chargeOf } from '../../../activities/calls/call.ts';
import { type BilledUsage, type Price, priceOf } from '../../../activities/calls/prices.ts';
import type { AskedModel } from '../../../activities/calls/asked-model.ts';
import { mostInputTokens, mostOutputTokens, withPlausibleUsage } from '../../../activities/calls/token-usage.ts';
import type { ChatReply } from '../../../schemas/chat.ts';

const hosts = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
  xai: 'https://api.x.ai/v1',
  deepseek: 'https://api.deepseek.com/v1',
  mistral: 'https://api.mistral.ai/v1',
  groq: 'https://api.groq.com/openai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  perplexity: 'https://api.perplexity.ai',
  azure: 'https://example.openai.azure.com/openai/v1',
};
type Host = keyof typeof hosts;

/** A working day at noon, two months after the list came out. */
const noon = new Date('2026-11-23T12:00:00Z');
const night = new Date('2026-11-23T22:00:00Z');

const model = (name: string) => ({ id: name, provider: 'p', strictVersion: false, study: true });
function listed(host: Host, name: string): Price {
  const price = priceOf(model(name), { baseUrl: hosts[host] });
  if (price === null) throw new Error(`${name} of ${host} is in the list`);
  return price;
}

const usage = (inputTokens: number, outputTokens: number, more: Partial<BilledUsage> = {}): BilledUsage => ({
  ...{ inputTokens, outputTokens, cachedTokens: null, reasoningTokens: null },
  ...more,
});

/**
 * Reckoned by hand from the vendors' prices for a million tokens, as they stood on 2026-09-23 (the day of the list):
 * prompt tokens that are neither cached nor written to a cache, cached, written, and answered ones. Tiers go by the
 * whole prompt and hold for all of the call.
 */
const bills: readonly (readonly [Host, string, BilledUsage, number])[] = [
  // $0.15 in, $0.075 cached, $0.60 out: 1,000 + 200 + 500 tokens.
  ['openai', 'gpt-4o-mini', usage(1_200, 500, { cachedTokens: 200 }), 0.000_15 + 0.000_015 + 0.000_3],
  // $2.50 / $10; one side of nothing: it has no tiers.
  ['openai', 'gpt-4o-2024-08-06', usage(120_000, 1_000), 0.3 + 0.01],
  // $2.50 and $15 up to 271,999 tokens, $5 and $22.50 beyond.
  ['openai', 'gpt-5.4', usage(271_999, 1_000), 0.679_997_5 + 0.015],
  ['openai', 'gpt-5.4', usage(272_000, 1_000), 1.36 + 0.022_5],
  ['openai', 'gpt-5.4', usage(400_000, 10_000, { cachedTokens: 100_000, reasoningTokens: 8_000 }), 1.5 + 0.05 + 0.225],
  // $3 and $15 up to 200,000, $6 and $22.50 beyond; writing to the cache $3.75 and $7.50, reading it $0.30 and $0.60.
  ['anthropic', 'claude-sonnet-4-5', usage(200_000, 2_000), 0.6 + 0.03],
  ['anthropic', 'claude-sonnet-4-5', usage(200_001, 2_000), 1.200_006 + 0.045],
  [
    'anthropic',
    'claude-sonnet-4-5-20250929',
    usage(100_000, 1_000, { cachedTokens: 50_000, cacheWriteTokens: 40_000 }),
    0.03 + 0.015 + 0.15 + 0.015,
  ],
  // $1 / $5.
  ['anthropic', 'claude-haiku-4-5', usage(150_000, 4_000), 0.15 + 0.02],
  // $1.25 and $10 up to 200,000, $2.50 and $15 beyond.
  ['google', 'gemini-2.5-pro', usage(200_000, 5_000), 0.25 + 0.05],
  ['google', 'gemini-2.5-pro', usage(300_000, 5_000), 0.75 + 0.075],
  // $0.30 / $2.50; sound $1.
  ['google', 'gemini-2.5-flash', usage(10_000, 1_000), 0.003 + 0.002_5],
  ['google', 'gemini-2.5-flash', usage(10_000, 1_000, { inputAudioTokens: 4_000 }), 0.001_8 + 0.004 + 0.002_5],
  // $1.25, $0.20 cached, $2.50 below 200,000; twice that from there.
  ['xai', 'grok-4.3', usage(199_999, 1_000), 0.249_998_75 + 0.002_5],
  ['xai', 'grok-4.3', usage(200_000, 1_000, { cachedTokens: 100_000 }), 0.25 + 0.04 + 0.005],
  // $0.27, $0.07 cached, $1.10 by day; half of it at night: $0.135, $0.035, $0.55.
  ['deepseek', 'deepseek-chat', usage(10_000, 2_000, { cachedTokens: 4_000 }), 0.001_62 + 0.000_28 + 0.002_2],
  // $0.30 / $0.90.
  ['mistral', 'codestral-latest', usage(8_000, 1_000), 0.002_4 + 0.000_9],
  // $0.59 / $0.79.
  ['groq', 'llama-3.3-70b-versatile', usage(100_000, 10_000), 0.059 + 0.007_9],
  // In a batch half of $0.10 / $0.50, and half of $0.20 / $0.75 beyond 272,000.
  ['openrouter', 'openai/gpt-6-luna', usage(100_000, 10_000), 0.01 + 0.005],
  ['openrouter', 'openai/gpt-6-luna:batch', usage(100_000, 10_000), 0.005 + 0.002_5],
  ['openrouter', 'openai/gpt-6-luna:batch', usage(272_001, 10_000), 0.027_200_1 + 0.003_75],
  // $2, $8 for what is read and $3 for what is thought; $5 for a thousand searches, which nobody reports.
  ['perplexity', 'sonar-deep-research', usage(1_000, 10_000, { reasoningTokens: 7_000 }), 0.002 + 0.024 + 0.021],
  ['azure', 'gpt-4o', usage(1_000, 1_000), 0.002_5 + 0.01],
];

test.each(bills)('%s %s: a call is billed as reckoned by hand', (host, name, tokens, usd) => {
  expect(listed(host, name).usdOf(tokens, noon)).toBeCloseTo(usd, 12);
});

test('hourly prices are those of the call’s hour; the bound uses the highest of the day', () => {
  const price = listed('deepseek', 'deepseek-chat');
  expect(price.usdOf(usage(1_000_000, 0), noon)).toBeCloseTo(0.27, 12);
  expect(price.usdOf(usage(1_000_000, 0), night)).toBeCloseTo(0.135, 12);
  expect(price.mostUsd({ input: 1_000_000, output: 0 }, night)).toBeCloseTo(0.27, 12);
});

test('a price that comes into force within a day counts for the bound, one of next month does not', () => {
  const price = listed('google', 'gemini-3.7-flash');
  const now = (at: string): number => price.usdOf(usage(1_000_000, 0), new Date(at));
  const most = (at: string): number => price.mostUsd({ input: 1_000_000, output: 0 }, new Date(at));
  expect(now('2027-01-02T00:00:00Z')).not.toBe(now('2026-12-01T00:00:00Z'));
  const dearer = Math.max(now('2027-01-02T00:00:00Z'), now('2026-12-01T00:00:00Z'));
  expect(most('2026-12-31T12:00:00Z')).toBeGreaterThanOrEqual(dearer);
});

test('the spec’s price overrides the list; a known host has only its own prices, an unknown one the name’s', () => {
  const own = { ...model('gpt-4o'), price: { inputUsdPerMillion: 7, outputUsdPerMillion: 9 } };
  expect(priceOf(own, { baseUrl: hosts.openai })?.usdOf(usage(1_000_000, 1_000_000), noon)).toBe(16);
  expect(priceOf(model('gpt-4o'), { baseUrl: hosts.mistral })).toBeNull();
  expect(priceOf(model('gpt-4o'), { baseUrl: 'http://127.0.0.1:4000/v1' })?.usdOf(usage(1_000_000, 0), noon)).toBe(2.5);
  expect(priceOf(model('nobody-knows'), { baseUrl: 'http://127.0.0.1:4000/v1' })).toBeNull();
});

const pricesAt = (baseUrl: string): Price[] => {
  const provider = findProvider({ providerApiUrl: baseUrl });
  if (provider === undefined) throw new Error(`the list has ${baseUrl}`);
  return provider.models.flatMap(({ id }) => priceOf(model(id), { baseUrl }) ?? []);
};
const allPrices = Object.values(hosts).flatMap(pricesAt);

const texts = fc.array(
  fc.record({ role: fc.constantFrom('system', 'user'), content: fc.string({ unit: 'grapheme', maxLength: 300 }) }),
  {
    minLength: 1,
    maxLength: 6,
  },
);
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** With prices that change by the hour. */
const hourly = fc.constantFrom(...pricesAt(hosts.deepseek));

/** Any counts within the bounds, parts within their totals. */
const request = fc.record({
  ...{
    messages: texts,
    longPrompt: fc.integer({ min: 0, max: 1_500_000 }),
    limit: fc.integer({ min: 1, max: 200_000 }),
  },
  ...{
    answers: fc.integer({ min: 1, max: 8 }),
    atMs: fc.integer({ min: Date.UTC(2026, 8, 1), max: Date.UTC(2027, 1, 1) }),
  },
  ...{ laterMs: fc.integer({ min: 0, max: 3_600_000 }), price: fc.oneof(fc.constantFrom(...allPrices), hourly) },
  shares: fc.tuple(share, share, share, share, share, share, share),
});

// Red when the tiers, the hours, the sound or the price of a request is left out of `mostUsd`.
test('no call whose counts are within its request’s bounds is charged more than was reserved for it', () => {
  expect(allPrices.length).toBeGreaterThan(500);
  fc.assert(
    fc.property(request, ({ messages, longPrompt, limit, answers, atMs, laterMs, price, shares }) => {
      const input = mostInputTokens(messages) + longPrompt;
      const bounds = { input, output: mostOutputTokens(limit, answers) };
      const [a, b, c, d, e, f, g] = shares;
      const inputTokens = Math.floor(input * (1 - a * a));
      const outputTokens = Math.floor(bounds.output * (1 - b * b));
      const cachedTokens = Math.floor(inputTokens * c);
      const charged = price.usdOf(
        {
          ...{
            inputTokens,
            outputTokens,
            cachedTokens,
            cacheWriteTokens: Math.floor((inputTokens - cachedTokens) * d),
          },
          ...{
            inputAudioTokens: e > 0.7 ? Math.floor(inputTokens * e) : null,
            reasoningTokens: Math.floor(outputTokens * f),
          },
          outputAudioTokens: g > 0.7 ? Math.floor(outputTokens * g) : null,
        },
        new Date(atMs + laterMs),
      );
      expect(charged).toBeLessThanOrEqual(price.mostUsd(bounds, new Date(atMs)) * (1 + 1e-12));
    }),
    { numRuns: 3_000 },
  );
});

const reply = (more: Partial<ChatReply>): ChatReply => ({
  ...{ text: 'def f(): pass', finishReason: 'stop', returnedModel: 'm', fingerprint: null, logprobs: null },
  ...{ inputTokens: 100, cachedTokens: null, outputTokens: 20, reasoningTokens: null },
  ...more,
});
const bounds = { input: 800, output: 1_040, window: 131_072 };
const first = (more: Partial<ChatReply>): ChatReply => withPlausibleUsage([reply(more)], bounds)[0] as ChatReply;

test('plausible usage is kept, also hidden reasoning beyond the limit', () => {
  expect(first({})).toEqual(reply({}));
  expect(first({ outputTokens: 4_000, reasoningTokens: 3_900 })).toEqual(
    reply({ outputTokens: 4_000, reasoningTokens: 3_900 }),
  );
});

// Red before: what was above four times the bound was charged at the bound, also what a model can count.
test('a count up to the model’s window is charged as it is reported, whatever the request allows', () => {
  for (const usage of [
    { outputTokens: 30_150, reasoningTokens: 30_000 },
    { outputTokens: 131_072 },
    { inputTokens: 100_000 },
  ])
    expect(first(usage)).toEqual(reply(usage));
  expect(first({ outputTokens: 131_073 })).toMatchObject({ outputTokens: 1_040 });
  const small = withPlausibleUsage([reply({ outputTokens: 4_161 })], { ...bounds, window: 4_096 });
  expect(small[0]).toMatchObject({ outputTokens: 1_040 });
});

test.each([
  [{ inputTokens: 4_294_967_295 }, { inputTokens: 800, outputTokens: 20 }],
  [
    { outputTokens: 1e15, reasoningTokens: 1e15 },
    { inputTokens: 100, outputTokens: 1_040, reasoningTokens: null },
  ],
  [{ inputTokens: 0 }, { inputTokens: null, outputTokens: 20 }],
  [{ cachedTokens: 101 }, { inputTokens: 100, cachedTokens: null }],
])('usage that cannot be is taken to be its bound, and kept as it was reported: %j', (reported, believed) => {
  const found = first(reported);
  expect(found).toMatchObject(believed);
  const raw = JSON.parse(found.usageReported ?? '') as Record<string, unknown>;
  expect(Object.values(raw)).toEqual(expect.arrayContaining(Object.values(reported)));
});

test('an answer with more bytes than its limit allows proves its token count', () => {
  const text = 'x'.repeat(20_000);
  expect(first({ text, outputTokens: 15_000 })).toEqual(reply({ text, outputTokens: 15_000 }));
});

test('impossible usage is charged at the bound, and the reported counts are kept', () => {
  const price = listed('openai', 'gpt-4o');
  const asked = { free: false, price } as AskedModel;
  const call = { reserve: { estimatedUsd: 0.001 } } as unknown as Parameters<typeof chargeOf>[2];
  const charge = chargeOf(asked, first({ inputTokens: 1e15, outputTokens: 1e15 }), call, noon);
  expect(charge).toMatchObject({ inputTokens: 800, outputTokens: 1_040, basis: 'reported' });
  // 800 at $2.50 and 1,040 at $10 a million.
  expect(charge.usd).toBeCloseTo(0.002 + 0.010_4, 12);
  expect(charge.usd).toBeLessThanOrEqual(price.mostUsd(bounds, noon));
  expect(charge.usageReported).toContain('1000000000000000');
});
