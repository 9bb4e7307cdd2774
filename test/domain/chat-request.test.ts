import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatRequest, outputLimit, effortSent } from '../../domain/chat-request.ts';
import { canonicalJson } from '../../domain/ids.ts';
import { parameters, sentNames } from '../../schemas/spec/parameters.ts';

const parametersOf = (overrides: Parameters<typeof chatRequest>[3]) =>
  chatRequest('m', [], { temperature: 0, maxTokens: 1024 }, overrides).parameters;

test("a model's parameters override the study's, and null sends none", () => {
  expect(parametersOf({})).toEqual({ temperature: 0, maxTokens: 1024 });
  expect(parametersOf({ temperature: 0.5 })).toEqual({ temperature: 0.5, maxTokens: 1024 });
  expect(parametersOf({ temperature: null })).toEqual({ maxTokens: 1024 });
});

test('maxCompletionTokens takes the place of maxTokens', () => {
  expect(parametersOf({ maxCompletionTokens: 4000 })).toEqual({ temperature: 0, maxCompletionTokens: 4000 });
  expect(parametersOf({ maxCompletionTokens: null })).toEqual({ temperature: 0, maxTokens: 1024 });
});

test('the limit of an answer is the one sent, under either name, or none', () => {
  expect(outputLimit(parametersOf({}))).toBe(1024);
  expect(outputLimit(parametersOf({ maxCompletionTokens: 4000 }))).toBe(4000);
  expect(outputLimit(parametersOf({ maxTokens: null }))).toBeNull();
});

test('the study’s limit is not sent with a reasoning effort, the model’s own is', () => {
  expect(parametersOf({ reasoningEffort: 'high' })).toEqual({ temperature: 0, reasoningEffort: 'high' });
  expect(parametersOf({ reasoningEffort: 'high', maxTokens: 9000 })).toMatchObject({ maxTokens: 9000 });
  expect(parametersOf({ reasoningEffort: null })).toEqual({ temperature: 0, maxTokens: 1024 });
});

const json = fc.jsonValue({ maxDepth: 3 });
const map = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
  json,
);
const anyParameters = fc.record(
  {
    temperature: fc.option(fc.integer({ min: 0, max: 2 })),
    maxTokens: fc.option(fc.integer({ min: 1 })),
    seed: fc.option(fc.integer()),
    reasoningEffort: fc.option(fc.constantFrom('none', 'low', 'high')),
    stop: fc.option(fc.oneof(fc.string({ minLength: 1 }), fc.array(fc.string({ minLength: 1 }), { minLength: 1 }))),
    topK: fc.option(fc.integer({ min: -1 })),
    chatTemplateKwargs: fc.option(map),
    extraBody: fc.option(map),
  },
  { requiredKeys: [] },
);
const canonical = (overrides: object): string =>
  canonicalJson(chatRequest('m', [], { temperature: 0, maxTokens: 1024 }, overrides));

/** With the keys of every map in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inside]) => [key, reversed(inside)]),
  );
};

test('the order in which a spec writes parameters and what is inside them is no part of the request', () => {
  fc.assert(
    fc.property(anyParameters, (overrides) => {
      expect(canonical(reversed(overrides) as object)).toBe(canonical(overrides));
    }),
  );
});

test('a parameter that is sent and changes makes another request; one that is left out or null makes none', () => {
  fc.assert(
    fc.property(anyParameters, fc.constantFrom(...Object.keys(sentNames), 'extraBody'), (overrides, name) => {
      const { [name]: _own, ...rest } = overrides as Record<string, unknown>;
      const value = name === 'extraBody' ? { further: 'key' } : 'another value';
      expect(canonical({ ...rest, [name]: value })).not.toBe(canonical(rest));
      const isStudys = name === 'temperature' || name === 'maxTokens';
      if (!isStudys) expect(canonical({ ...rest, [name]: null })).toBe(canonical(rest));
    }),
  );
});

test('every parameter of a spec but extraBody has a name that is sent', () => {
  expect(Object.keys(sentNames).concat('extraBody').sort()).toEqual(Object.keys(parameters.shape).sort());
});

test.each([
  [{}, {}],
  [{ reasoningEffort: 'low' }, {}],
  [{}, { reasoningEffort: 'high' }],
  [{ reasoningEffort: 'low' }, { reasoningEffort: 'high' }],
  [{ reasoningEffort: 'low' }, { reasoningEffort: null }],
] as const)('the effort of %j under %j is that of the request', (decoding, overrides) => {
  const { parameters } = chatRequest('m', [], decoding, overrides);
  expect(effortSent(decoding, overrides)).toBe(parameters.reasoningEffort ?? null);
});
