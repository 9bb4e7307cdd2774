/** Which models of a spec may ask an endpoint the same. */
import { expect, test } from 'vitest';
import { askedAlikeTexts, askedAs, givenBy } from '../../../domain/spec/equal-requests.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';

const of = (one: string, other: string) =>
  parseSpec(
    `
name: n
providers:
  one: { kind: openai, baseUrl: 'http://localhost:1/v1' }
  two: { kind: openai, baseUrl: 'http://LOCALHOST:1/v1/', stream: true, api: chat }
  three: { kind: openai, baseUrl: 'http://localhost:2/v1' }
  four: { kind: openai, baseUrl: 'http://localhost:1/v1', api: responses }
models: [{ id: a, ${one} }, { id: b, ${other} }]
benchmarks: { b: { format: evenkeel, path: p } }
studies: [{ name: s, kind: pass, benchmark: b }]
`,
    's.yaml',
  );

const given = [{ temperature: 0.8, topP: 1, maxTokens: 100 }];
const textsOf = (spec: ReturnType<typeof of>) => askedAlikeTexts(spec, [{ given, ids: ['a', 'b'] }]);

// Red before: only parameters and URLs that are written alike, though the study gives what a model does not set.
test.each([
  ['provider: one, model: m', 'provider: two, model: m, version: new'],
  ['provider: one', 'provider: one, model: a'],
  ['provider: one, model: m', 'provider: one, model: m, parameters: { temperature: 0.8 }'],
  [
    'provider: one, model: m, parameters: { seed: null }',
    'provider: one, model: m, parameters: { seed: null, topP: 1 }',
  ],
])('%s and %s do, where the study gives temperature 0.8', (one, other) => {
  const spec = of(one, other);
  expect([askedAs(spec, 'a', given), askedAs(spec, 'b', given)]).toEqual([['b'], ['a']]);
  expect(textsOf(spec)).toEqual([expect.stringContaining('a and b ask one model at one endpoint')]);
});

const warm = 'provider: one, model: m, parameters: { temperature: 1 }';
test.each([
  ['provider: one, model: m', 'provider: three, model: m'],
  ['provider: one, model: m', 'provider: four, model: m'],
  ['provider: one', 'provider: one'],
  ['provider: one, model: m, parameters: { seed: 1 }', 'provider: one, model: m, parameters: { seed: 2 }'],
  ['provider: one, model: m', warm],
  // Red before: a model that draws with seeds, and one that draws without.
  ['provider: one, model: m', 'provider: one, model: m, parameters: { seed: null }'],
  ['provider: one, model: m', 'provider: one, model: m, parameters: { extraBody: { rubric: strict } }'],
  ['provider: simulated', 'provider: simulated'],
])('%s and %s do not', (one, other) => {
  const spec = of(one, other);
  expect([askedAs(spec, 'a', given), askedAs(spec, 'b', given), textsOf(spec)]).toEqual([[], [], []]);
});

test('at temperature 0 no seed is sent', () => {
  const spec = of('provider: one, model: m', 'provider: one, model: m, parameters: { seed: null }');
  expect(askedAs(spec, 'a', [{ temperature: 0 }])).toEqual(['b']);
});

test('where the study is not known, what a model does not set may be anything', () => {
  expect(askedAs(of('provider: one, model: m', warm), 'a')).toEqual(['b']);
  expect(askedAs(of(warm, 'provider: one, model: m, parameters: { temperature: 0 }'), 'a')).toEqual([]);
});

// Red before: said of a model and a judge, and of two labellers, which are asked for themselves.
test('nothing is said of models of different studies', () => {
  const spec = of('provider: one, model: m', 'provider: one, model: m');
  expect(
    askedAlikeTexts(spec, [
      { given, ids: ['a'] },
      { given, ids: ['b'] },
    ]),
  ).toEqual([]);
});

// Red before: a study of pass@k, which has a list of temperatures, gave none.
test('a study gives each of its temperatures', () => {
  const spec = of('provider: one, model: m', 'provider: one, model: m, parameters: { temperature: 0.8 }');
  const [study] = spec.studies;
  expect(study && askedAs(spec, 'a', givenBy(study))).toEqual(['b']);
  expect(study && givenBy(study).map(({ temperature }) => temperature)).toEqual([0.8]);
});
