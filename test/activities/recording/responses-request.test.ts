import fc from 'fast-check';
import { expect, test } from 'vitest';
import { responseBody } from '../../../activities/providers/responses-body.ts';
import { requestOfResponsesBody } from '../../../activities/recording/responses-request.ts';

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
      logprobs: fc.constant(true),
      reasoningEffort: fc.constantFrom('low', 'high'),
      verbosity: fc.constantFrom('low', 'high'),
      serviceTier: fc.constantFrom('flex', 'priority'),
      extraBody: fc.constantFrom(
        { truncation: 'auto' },
        { reasoning: { summary: 'auto' }, text: { format: { type: 'text' } }, store: true },
      ),
    },
    { requiredKeys: [] },
  ),
});

test('every body that evenkeel sends is read back as the request that it was made of', () => {
  fc.assert(
    fc.property(request, fc.boolean(), (asked, stream) => {
      const sent = { ...responseBody(asked), ...(stream && { stream }) };
      expect(requestOfResponsesBody(sent)).toEqual({ request: asked, n: 1 });
    }),
  );
});

test.each([
  null,
  { model: 'm', input: 'a text' },
  { model: 'm', input: [{ type: 'function_call_output', output: 'x' }] },
])('a body that no study sends is named: %j', (body) => {
  expect(requestOfResponsesBody(body)).toBe('a request that no study sends');
});
