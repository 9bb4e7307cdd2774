import { expect, test } from 'vitest';
import { specPlace } from '../../../domain/spec/spec-place.ts';

const text = `name: nightly
providers:
  oai: { kind: openai, apiKeyEnv: KEY }
models:
  - { id: a, provider: oai }
  - id: b
    parameters:
      temperature: 0.5
`;

test('a value has the position at which it is written', () => {
  expect(specPlace(text, ['models', 1, 'parameters', 'temperature'])).toEqual({ line: 8, column: 20 });
  expect(specPlace(text, ['providers', 'oai', 'apiKeyEnv'])).toEqual({ line: 3, column: 35 });
});

test('a missing path has the position of its nearest existing parent', () => {
  expect(specPlace(text, ['models', 0, 'parameters', 'temperature'])).toEqual({ line: 5, column: 5 });
  expect(specPlace(text, ['models', 1, 'parameters', 'topP'])).toEqual({ line: 8, column: 7 });
});

test('a spec in JSON has line numbers, too', () => {
  expect(specPlace('{\n  "models": [\n    { "id": "a" }\n  ]\n}', ['models', 0, 'id']).line).toBe(3);
});
