import { expect, test } from 'vitest';
import { isOtherModel } from '../../domain/returned-model.ts';

test.each([
  ['gpt-4o', 'gpt-4o-2024-08-06'],
  ['gpt-4', 'gpt-4-0613'],
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
  ['anthropic/claude-3.5-sonnet', 'claude-3-5-sonnet@20240620'],
  ['openai/gpt-6-luna:batch', 'openai/gpt-6-luna'],
  ['mistral-small-latest', 'mistral-small-2503'],
  ['gemini-2.5-flash', 'models/gemini-2.5-flash-preview-05-20'],
  ['gemini-1.5-pro', 'gemini-1.5-pro-002'],
  ['Qwen/Qwen2.5-Coder-32B-Instruct', '/models/Qwen2.5-Coder-32B-Instruct'],
  ['deepseek-chat', 'deepseek-chat'],
])('%s answers as %s: the same model', (requested, returned) => {
  expect(isOtherModel(requested, returned)).toBe(false);
});

test.each([
  ['gpt-4o', 'gpt-4o-mini'],
  ['gpt-4o', 'gpt-4o-mini-2024-07-18'],
  ['gpt-4', 'gpt-4-turbo'],
  ['claude-sonnet-4-5', 'claude-haiku-4-5'],
  ['llama-3.3-70b-versatile', 'llama-3.1-8b-instant'],
  ['deepseek-reasoner', 'deepseek-chat'],
  ['Qwen2.5-32B', 'Qwen2.5-7B'],
])('%s answers as %s: another model', (requested, returned) => {
  expect(isOtherModel(requested, returned)).toBe(true);
});
