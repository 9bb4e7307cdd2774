import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestBody } from '../../../activities/providers/openai-body.ts';
import { requestOfBody } from '../../../activities/recording/openai-request.ts';

const request = fc.record({
  model: fc.string(),
  messages: fc.array(
    fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: fc.string() } as const),
    { minLength: 1 },
  ),
  parameters: fc.record(
    {
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      topP: fc.double({ min: 0, max: 1, noNaN: true }),
      maxTokens: fc.nat(),
      maxCompletionTokens: fc.nat(),
      seed: fc.nat(),
      logprobs: fc.boolean(),
      reasoningEffort: fc.constantFrom('low', 'high'),
      stop: fc.array(fc.string()),
      chatTemplateKwargs: fc.constant({ enable_thinking: false }),
      extraBody: fc.constant({ route: { only: ['a'] }, cached: null }),
    },
    { requiredKeys: [] },
  ),
});

test('every body that evenkeel sends is read back as the request that it was made of', () => {
  fc.assert(
    fc.property(request, fc.integer({ min: 2, max: 9 }), (asked, n) => {
      expect(requestOfBody(requestBody(asked))).toEqual({ request: asked, n: 1 });
      const streamed = { ...requestBody({ ...asked, n }), stream: true, stream_options: { include_usage: true } };
      expect(requestOfBody(streamed)).toEqual({ request: asked, n });
    }),
  );
});

test.each([
  [null, 'a request that no study sends'],
  [{ model: 'm', messages: [] }, 'a request that no study sends'],
  [{ model: 'm', messages: [{ role: 'tool', content: 'x' }] }, 'a request that no study sends'],
])('a body of another kind is named: %j', (body, why) => {
  expect(requestOfBody(body)).toBe(why);
});
