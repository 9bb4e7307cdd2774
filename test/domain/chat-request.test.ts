import { expect, test } from 'vitest';
import { chatRequest, outputLimit } from '../../domain/chat-request.ts';

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
