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
