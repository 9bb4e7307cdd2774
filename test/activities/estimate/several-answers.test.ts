/** What `plan` counts of models that are asked for several answers at once. */
import { expect, test } from 'vitest';
import { endpoint, planFolder, priced } from './planned-spec.ts';

const studies =
  '[{ name: p, kind: pass, benchmark: tiny, settings: { samples: 8, ks: [1], temperatures: [0.8], maxTokens: 100 } }]';
const estimate = (samplesPerRequest: number, price = priced(10, 0)) =>
  planFolder().estimate({
    models: `[{ id: a, ${price}, parameters: { seed: null }, samplesPerRequest: ${samplesPerRequest} }]`,
    providers: `{ account: ${endpoint.replace(' }', ', limits: { concurrency: 1 } }')} }`,
    studies,
  });
const line = 'samplesPerRequest: calls and input tokens are counted by requests';

// Red when calls are counted by answers: the minimum was then higher than the bill.
test('calls and input tokens are counted by requests, answers and output tokens by answers', async () => {
  const [alone, shared, uneven] = await Promise.all([estimate(1), estimate(4), estimate(5)]);
  // Three tasks of eight answers each.
  expect(alone.run.newCalls).toEqual({ minimum: 24, expected: 24, maximum: 24 });
  expect(shared.run.newCalls).toEqual({ minimum: 6, expected: 6, maximum: 24 });
  // Two requests, for five and for three answers; a rest of other answers may be one full request.
  expect(uneven.run.newCalls).toEqual({ minimum: 5, expected: 6, maximum: 24 });
  const [one, four] = [alone.lanes[0], shared.lanes[0]];
  expect(four?.newAnswers).toEqual(one?.newAnswers);
  expect(four?.newInputTokens.expected).toBe((one?.newInputTokens.expected ?? 0) / 4);
  expect(four?.newOutputTokens).toEqual(one?.newOutputTokens);
  expect(four?.usd?.low).toBeCloseTo((one?.usd?.low ?? 0) / 4, 12);
  expect(four?.usd?.expected).toBeCloseTo((one?.usd?.expected ?? 0) / 4, 12);
  expect(four?.usd?.high).toBe(one?.usd?.high);
  expect(four?.timeSeconds.expected).toBeCloseTo((one?.timeSeconds.expected ?? 0) / 4, 9);
});

test('the price of answers is that of all of them', async () => {
  const [alone, shared] = await Promise.all([1, 4].map((most) => estimate(most, priced(0, 10))));
  // Of a request's tokens, rounded once.
  expect(shared?.run.usd?.expected).toBeCloseTo(alone?.run.usd?.expected ?? 0, 4);
});

test('one line says so, where it is so', async () => {
  expect((await estimate(4)).assumptions.join('\n')).toContain(`${line} for several answers (a up to 4)`);
  expect((await estimate(1)).assumptions.join('\n')).not.toContain(line);
});
