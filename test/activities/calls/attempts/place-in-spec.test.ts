import { expect, test } from 'vitest';
import { placeInSpec } from '../../../../activities/calls/attempts/place-in-spec.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';

const specText = `name: keys
providers:
  keyed: { kind: openai, baseUrl: https://h/v1, apiKeyEnv: KEY, headersEnv: { x-team: TEAM } }
  headed:
    kind: openai
    baseUrl: https://h/v1
    headersEnv: { api-key: HEADER }
  bare: { kind: openai, baseUrl: https://h/v1 }
models: [{ id: a, provider: keyed }, { id: b, provider: headed }, { id: c, provider: bare }]
benchmarks: { b: { format: evenkeel, path: . } }
studies: [{ name: loops, kind: evaloop, benchmark: b, settings: { judge: none } }]
`;
const spec = parseSpec(specText, 's.yaml');
const keyPlace = (index: number): string =>
  placeInSpec({ spec, specText, specFile: 's.yaml' }, index, { of: 'provider', path: ['apiKeyEnv'] });

// Red before: providers.headed.apiKeyEnv and providers.bare.apiKeyEnv, which the spec does not have.
test('a refused key is at what the account has: its key, its headers, or the account', () => {
  expect([0, 1, 2].map(keyPlace)).toEqual([
    'models[0] of the spec; see s.yaml:3:60  providers.keyed.apiKeyEnv',
    'models[1] of the spec; see s.yaml:7:17  providers.headed.headersEnv',
    'models[2] of the spec; see s.yaml:8:9  providers.bare',
  ]);
});
