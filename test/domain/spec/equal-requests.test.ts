/** Which models of a spec ask an endpoint the same. */
import { expect, test } from 'vitest';
import { askedAlike } from '../../../domain/spec/equal-requests.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';

const of = (models: string): string[][] =>
  askedAlike(
    parseSpec(
      `
name: n
providers:
  one: { kind: openai, baseUrl: 'http://localhost:1/v1' }
  two: { kind: openai, baseUrl: 'http://localhost:1/v1', stream: true }
  three: { kind: openai, baseUrl: 'http://localhost:2/v1' }
models: [${models}]
benchmarks: { b: { format: evenkeel, path: p } }
studies: [{ name: s, kind: pass, benchmark: b }]
`,
      's.yaml',
    ),
  );

test('one name at one endpoint, whatever the ids and accounts', () => {
  expect(of('{ id: a, provider: one, model: m }, { id: b, provider: two, model: m, version: new }')).toEqual([
    ['a', 'b'],
  ]);
  expect(of('{ id: m, provider: one }, { id: b, provider: one, model: m }')).toEqual([['m', 'b']]);
});

test('not with another name, endpoint or parameter, nor two simulated models', () => {
  expect(of('{ id: a, provider: one, model: m }, { id: b, provider: three, model: m }')).toEqual([]);
  expect(of('{ id: a, provider: one }, { id: b, provider: one }')).toEqual([]);
  const warm = '{ id: b, provider: one, model: m, parameters: { temperature: 1 } }';
  expect(of(`{ id: a, provider: one, model: m }, ${warm}`)).toEqual([]);
  expect(of('{ id: a, provider: simulated }, { id: b, provider: simulated }')).toEqual([]);
});
