/** Which judges of several runs are the same. */
import { expect, test } from 'vitest';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { judgedBy } from '../../../studies/evaloop/judges.ts';

const specOf = (judge: string) =>
  parseSpec(
    `
name: n
providers:
  one: { kind: openai, baseUrl: 'http://localhost:1/v1' }
  two: { kind: openai, baseUrl: 'http://localhost:2/v1' }
models: [{ id: m, provider: simulated }, { ${judge}, study: false }]
benchmarks: { b: { format: evenkeel, path: p } }
studies: [{ name: s, kind: evaloop, benchmark: b, settings: { judge: ${/id: (\w+)/.exec(judge)?.[1] ?? ''} } }]
`,
    's.yaml',
  );

/** Whether all of them are judged by the same. */
function areSame(...judges: readonly string[]): boolean {
  const specs = judges.map(specOf);
  const found = specs.map((spec) => {
    const [study] = spec.studies;
    if (study?.kind !== 'evaloop') throw new Error('the spec has a study of EVALOOP');
    return JSON.stringify(judgedBy(study.settings, spec, specs));
  });
  return new Set(found).size === 1;
}

const gpt = 'id: j, provider: one, model: gpt';
const recorded = 'id: j, provider: replay, file: r.jsonl';

test('one model at one endpoint, whatever its id, with the parameters of a judge', () => {
  expect(areSame(gpt, 'id: other, provider: one, model: gpt')).toBe(true);
  expect(areSame(gpt, `${gpt}, parameters: { temperature: 0, seed: null }`)).toBe(true);
  expect(areSame(gpt, `${gpt}, parameters: { temperature: 1 }`)).toBe(false);
  expect(areSame(gpt, 'id: j, provider: one, model: tiny')).toBe(false);
  expect(areSame(gpt, 'id: j, provider: two, model: gpt')).toBe(false);
});

// Red before: a recording made the ids decide for all runs, so that two other judges were one.
test('a recording is told by its id, where all others of the id are asked alike', () => {
  expect(areSame(gpt, recorded)).toBe(true);
  expect(areSame(recorded, 'id: j, provider: replay, file: other.jsonl')).toBe(true);
  expect(areSame(gpt, 'id: j, provider: one, model: tiny', recorded)).toBe(false);
  expect(areSame(gpt, 'id: k, provider: replay, file: r.jsonl')).toBe(false);
  // A rescored run keeps the name of the model.
  expect(areSame(gpt, `${recorded}, model: gpt`)).toBe(true);
  expect(areSame('id: j, provider: one, model: tiny', `${recorded}, model: gpt`)).toBe(false);
});
