import { expect, test } from 'vitest';
import { allowancesOf } from '../../../domain/accounts/allowance.ts';

const nowMs = Date.UTC(2026, 10, 23);
const read = (headers: Record<string, string>) => allowancesOf((name) => headers[name], nowMs);

test.each([
  [
    'OpenAI',
    { 'x-ratelimit-remaining-requests': '59', 'x-ratelimit-reset-requests': '1m0.5s' },
    { requests: { remaining: 59, resetMs: 60_500 } },
  ],
  [
    'OpenAI',
    { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '20ms' },
    { tokens: { remaining: 0, resetMs: 20 } },
  ],
  [
    'Anthropic',
    { 'anthropic-ratelimit-requests-remaining': '4', 'anthropic-ratelimit-requests-reset': '2026-11-23T00:00:07Z' },
    { requests: { remaining: 4, resetMs: 7_000 } },
  ],
  [
    'Anthropic, input and output apart',
    {
      'anthropic-ratelimit-input-tokens-limit': '80000',
      'anthropic-ratelimit-input-tokens-remaining': '80000',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-23T00:00:01Z',
      'anthropic-ratelimit-output-tokens-remaining': '0',
      'anthropic-ratelimit-output-tokens-reset': '2026-11-23T00:00:12Z',
    },
    {
      inputTokens: { remaining: 80_000, resetMs: 1_000, limit: 80_000 },
      outputTokens: { remaining: 0, resetMs: 12_000 },
    },
  ],
  [
    'gateways, input and output apart',
    { 'x-ratelimit-remaining-input-tokens': '5', 'x-ratelimit-reset-input-tokens': '7s' },
    { inputTokens: { remaining: 5, resetMs: 7_000 } },
  ],
  [
    'Fireworks, which says no time',
    { 'x-ratelimit-remaining-tokens-prompt': '7193993', 'x-ratelimit-remaining-tokens-generated': '69338' },
    { inputTokens: { remaining: 7_193_993, resetMs: 1_000 }, outputTokens: { remaining: 69_338, resetMs: 1_000 } },
  ],
  [
    'Cerebras',
    {
      'x-ratelimit-remaining-requests-day': '12',
      'x-ratelimit-reset-requests-day': '33011.382867',
      'x-ratelimit-remaining-tokens-minute': '24000',
      'x-ratelimit-reset-tokens-minute': '11.5',
    },
    { requestsOfDay: { remaining: 12, resetMs: 33_011_382.867 }, tokens: { remaining: 24_000, resetMs: 11_500 } },
  ],
  [
    'Mistral',
    { 'x-ratelimit-remaining-req-minute': '124', 'x-ratelimit-remaining-tokens-minute': '624988' },
    { requests: { remaining: 124, resetMs: 1_000 }, tokens: { remaining: 624_988, resetMs: 1_000 } },
  ],
  [
    'OpenRouter',
    { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': String(nowMs + 9_000) },
    { requests: { remaining: 3, resetMs: 9_000 } },
  ],
  [
    'the IETF draft',
    { 'ratelimit-remaining': '10', 'ratelimit-reset': '30' },
    { requests: { remaining: 10, resetMs: 30_000 } },
  ],
  ['one without a reset', { 'x-ratelimit-remaining': '0' }, { requests: { remaining: 0, resetMs: 1_000 } }],
  ['one that says nothing', {}, {}],
  ['one that says nonsense', { 'x-ratelimit-remaining-requests': '-3', 'x-ratelimit-remaining-tokens': 'many' }, {}],
])('the remaining allowance is read from the headers of %s', (_, headers, allowances) => {
  expect(read(headers)).toEqual(allowances);
});
