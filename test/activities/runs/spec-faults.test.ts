import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { specFaults, unpricedModels, unsetVariables } from '../../../activities/runs/spec-faults.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const spec = parseSpec(
  `
name: money
providers:
  paid: { kind: openai, baseUrl: https://h/v1, apiKeyEnv: PAID_KEY, headersEnv: { x-team: TEAM, x-zone: ZONE } }
  played: { kind: simulator, baseUrl: http://127.0.0.1:9/v1, apiKeyEnv: PLAYED_KEY }
  idle: { kind: openai, baseUrl: https://i/v1, apiKeyEnv: IDLE_KEY }
models:
  - { id: gpt-4o, provider: paid }
  - { id: ours, provider: paid, price: { inputUsdPerMillion: 0, outputUsdPerMillion: 0 } }
  - { id: unknown, provider: paid }
  - { id: unknown judge, provider: paid, study: false }
  - { id: nobody asks it, provider: paid, study: false }
  - { id: played by us, provider: played }
benchmarks: { b: { format: evenkeel, path: . } }
studies: [{ name: loops, kind: evaloop, benchmark: b, settings: { judge: unknown judge } }]
budget: { usd: 5 }
`,
  's.yaml',
);

test('a model asked at an account needs a listed or given price; judges too', () => {
  expect(unpricedModels(spec).map(({ id }) => id)).toEqual(['unknown', 'unknown judge']);
  const rules = (budget: object): string[] =>
    specFaults({ ...spec, budget }, '/').flatMap(({ path, rule }) => (path[0] === 'budget' ? [rule] : []));
  expect(rules({ usd: 5 })).toHaveLength(2);
  expect(rules({ tokens: 5 })).toEqual([]);
});

test('a budget in dollars needs a limit on answers, or a context window that the list knows', () => {
  const faultsOf = (model: string, settings = '{}', budget = '{ usd: 5 }') =>
    specFaults(
      parseSpec(
        `
name: money
providers: { paid: { kind: openai, baseUrl: https://h/v1 } }
models: [{ provider: paid, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 }, ${model} }]
benchmarks: { b: { format: evenkeel, path: . } }
studies: [{ name: loops, kind: evaloop, benchmark: b, settings: ${settings} }]
budget: ${budget}
`,
        's.yaml',
      ),
      '/',
    ).flatMap(({ path, rule }) => (path[0] === 'models' ? [[path.join('.'), rule.split(',', 1)[0]]] : []));
  const fault = [['models.0.parameters', 'no limit on answers is sent for ours']];
  expect(faultsOf('id: ours, parameters: { maxTokens: null }')).toEqual(fault);
  expect(faultsOf('id: ours', '{ maxTokens: null }')).toEqual(fault);
  expect(faultsOf('id: ours')).toEqual([]);
  expect(faultsOf('id: ours, parameters: { maxTokens: null, maxCompletionTokens: 900 }')).toEqual([]);
  expect(faultsOf('id: ours, parameters: { maxTokens: null }', '{}', '{ tokens: 5 }')).toEqual([]);
  // 128,000 tokens.
  expect(faultsOf('id: gpt-4o, parameters: { maxTokens: null }')).toEqual([]);
});

test('an unset variable is named once per account used, with the models it blocks; an empty one is unset', () => {
  const of = 'gpt-4o, ours, unknown, unknown judge';
  expect(unsetVariables(spec, { PAID_KEY: '', TEAM: 'x' })).toEqual([
    `the environment variable PAID_KEY of provider paid is not set: ${of} will not be asked`,
    `the environment variable ZONE of provider paid is not set: ${of} will not be asked`,
    'the environment variable PLAYED_KEY of provider played is not set: played by us will not be asked',
  ]);
  expect(unsetVariables(spec, { PAID_KEY: 'x', TEAM: 'x', ZONE: 'x', PLAYED_KEY: 'x' })).toEqual([]);
});

// Red before: "no such file", and of a folder that may not be entered, that it "does not exist either".
test('a file that cannot be looked at is not said to be missing', () => {
  const file = join(temporaryFolder(), 'loop');
  symlinkSync(file, file);
  const { b } = spec.benchmarks;
  if (b === undefined) throw new Error('the spec has benchmark b');
  const faults = specFaults({ ...spec, benchmarks: { b: { ...b, path: file } } }, '/');
  expect(faults.filter(({ path }) => path[0] === 'benchmarks')).toEqual([
    { path: ['benchmarks', 'b', 'path'], rule: `${file} is a symbolic link that points back to itself` },
  ]);
});
