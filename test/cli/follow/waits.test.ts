/** What is said of calls that wait: long answers, and limits of accounts. */
import { expect, test } from 'vitest';
import { clockText } from '../../../cli/follow/progress-line.ts';
import { longCallTexts, slowedTexts } from '../../../cli/follow/waits.ts';
import type { Spec } from '../../../schemas/spec.ts';

const nowMs = 1_800_000_000_000;
const spec = {
  models: [
    { id: 'm', provider: 'p' },
    { id: 'local', provider: 'simulated' },
  ],
  providers: { p: { timeoutMs: 300_000 } },
} as unknown as Spec;

const inFlight = (ageS: number | null, usualS: number | null, answeringModel = 'm') => ({
  answeringModel,
  inFlight: ageS === null ? 0 : 3,
  oldestSentMs: ageS === null ? null : nowMs - ageS * 1_000,
  inFlightUsd: 0,
  medianLatencyMs: usualS === null ? null : usualS * 1_000,
});

// A call is long after a minute, and from 20 s on if it takes three times as long as usual.
test.each([
  [19, 1, false],
  [21, 1, true],
  [21, 8, false],
  [25, 8, true],
  [59, 40, false],
  [61, 40, true],
  [61, 200, true],
  [21, null, true],
  [null, 5, false],
])('a call of %s s whose model usually takes %s s: told is %s', (ageS, usualS, isTold) => {
  expect(longCallTexts([inFlight(ageS, usualS)], spec, nowMs)).toHaveLength(isTold ? 1 : 0);
});

test('names the model, how many calls, since when, the usual time and the limit', () => {
  const since = clockText(nowMs - 70_000);
  expect(longCallTexts([inFlight(70, 12)], spec, nowMs)).toEqual([
    `waiting for m: 3 calls in flight, the oldest since ${since} (usually 12 s, at most until ` +
      `${clockText(nowMs + 230_000)})`,
  ]);
  expect(longCallTexts([inFlight(70, null, 'local')], spec, nowMs)).toEqual([
    `waiting for local: 3 calls in flight, the oldest since ${since}`,
  ]);
});

// Red when a limit that has passed is still told as one to come.
test('a limit that has passed is told as past', () => {
  const told = (ageS: number) => longCallTexts([inFlight(ageS, null)], spec, nowMs).join('');
  expect(told(300)).toMatch(/at most until/);
  expect(told(310)).toContain(`(its time was up at ${clockText(nowMs - 10_000)}, and how it ended is not stored yet)`);
});

test('a limit at which calls wait is named with its account', () => {
  const why = "the spec's 600 output tokens per minute";
  expect(slowedTexts([{ endpoint: 'https://e/v1', keyVariable: 'KEY', why }])).toEqual([
    `calls wait for a limit of account https://e/v1 with the key of KEY: ${why}`,
  ]);
});
