/** Names that every JavaScript object has: whatever is looked up by such a name is always found. */
import { expect, test } from 'vitest';
import { InputError } from '../../../domain/errors.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';

const good = `
name: nightly
models: [{ id: a, provider: p }]
providers: { p: { kind: openai, baseUrl: "https://h/v1", apiKeyEnv: KEY } }
benchmarks: { b: { format: mbpp-plus, path: file.jsonl, suites: [base, { name: et, format: mbpp-et, path: x }] } }
studies: [{ name: ways, kind: robunfr-prompts, benchmark: b, settings: { dimensions: [{ name: d, phrasings: [X] }] } }]
`;

// Red before: accepted; `plan` then ended with "(leftOut[study.name] ?? []).map is not a function".
test.each([
  ['name: ways', 'name: constructor', 'studies.0.name'],
  ['id: a', 'id: toString', 'models.0.id'],
  ['id: a', 'id: __proto__', 'models.0.id'],
  ['benchmarks: { b:', 'benchmarks: { valueOf:', 'benchmarks.valueOf'],
  ['providers: { p:', 'providers: { hasOwnProperty:', 'providers.hasOwnProperty'],
  ['apiKeyEnv: KEY', 'apiKeyEnv: constructor', 'providers.p.apiKeyEnv'],
  ['name: et', 'name: constructor', 'benchmarks.b.suites.1.name'],
  ['name: d,', 'name: constructor,', 'studies.0.settings.dimensions.0.name'],
])('%s cannot be %s', (from, to, place) => {
  expect(() => parseSpec(good, 's.yaml')).not.toThrow();
  expect(good).toContain(from);
  let found: unknown = null;
  try {
    parseSpec(good.replace(from, to), 's.yaml');
  } catch (error) {
    found = error;
  }
  expect(found).toBeInstanceOf(InputError);
  const faults = (found as InputError).message.split('\n');
  expect(faults).toContainEqual(expect.stringMatching(new RegExp(`  ${place}: must not be a name that every Java`)));
});
