import { describe, expect, test } from 'vitest';
import { InputError } from '../../../domain/errors.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { studyFaults } from '../../../studies/study-faults.ts';
import { plainLoops } from '../../support/loop-settings.ts';

const good = `name: nightly
models:
  - { id: a, provider: simulated, profile: strong }
benchmarks:
  b: { format: mbpp-plus, path: file.jsonl }
studies:
  - { name: loops, kind: evaloop, benchmark: b }
`;

function faultsOf(text: string): string[] {
  try {
    parseSpec(text, 's.yaml', studyFaults);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message.split('\n');
  }
  throw new Error('the spec was accepted');
}

test('a short spec gets the defaults of the paper', () => {
  const { seed, studies } = parseSpec(good, 's.yaml');
  expect(seed).toBe(0);
  expect(studies[0]?.settings).toEqual(plainLoops);
});

test('JSON is a spec too', () => {
  const spec = parseSpec(good, 's.yaml');
  expect(parseSpec(JSON.stringify(spec), 's.json')).toEqual(spec);
});

// Schemes are case-insensitive: RFC 3986, section 3.1. Red before: "must be an http or https URL".
test('the scheme of an endpoint may be in capitals; the rest of its address stays as it is', () => {
  const text = `${good}providers: { h: { kind: openai, baseUrl: "HTTP://H/V1/" } }\n`;
  expect(parseSpec(text, 's.yaml').providers['h']?.baseUrl).toBe('http://H/V1/');
});

/** Each row: the change to the valid spec, and the whole line of the error. */
const refused: readonly (readonly [name: string, change: readonly [string, string], line: string])[] = [
  ['an unknown key', ['name:', 'nme:'], 's.yaml:1:1  nme: unknown key "nme"; did you mean "name"?'],
  [
    'an unknown key of a model',
    ['profile: strong', 'profil: strong'],
    's.yaml:3:35  models.0.profil: unknown key "profil"; did you mean "profile"?',
  ],
  [
    'an unknown setting',
    ['benchmark: b }', 'benchmark: b, settings: { maxLoop: 2 } }'],
    's.yaml:7:61  studies.0.settings.maxLoop: unknown key "maxLoop"; did you mean "maxLoops"?',
  ],
  // Red before: did you mean "samples"?
  [
    'a setting of another kind of study',
    ['benchmark: b }', 'benchmark: b, settings: { samples: 2 } }'],
    's.yaml:7:61  studies.0.settings.samples: unknown key "samples" here: other kinds have it, this one does not',
  ],
  [
    'a wrong type',
    ['benchmark: b }', 'benchmark: b, settings: { maxLoops: ten } }'],
    's.yaml:7:71  studies.0.settings.maxLoops: expected a number, got text',
  ],
  [
    'a value out of range',
    ['benchmark: b }', 'benchmark: b, settings: { temperature: 3 } }'],
    's.yaml:7:74  studies.0.settings.temperature: must be at most 2, got 3',
  ],
  [
    'several samples to a request, each with a seed',
    ['profile: strong', 'profile: strong, samplesPerRequest: 8'],
    's.yaml:3:71  models.0.samplesPerRequest: answers with different seeds cannot share a request: send no seed ' +
      '(parameters: { seed: null }), or remove samplesPerRequest',
  ],
  [
    'a suite that is named twice',
    ['path: file.jsonl }', 'path: file.jsonl, suites: [base, { name: base, format: evenkeel, path: x }] }'],
    's.yaml:5:60  benchmarks.b.suites.1: duplicate suite "base"; suites must be unique',
  ],
  [
    'a misspelt key of a joined suite',
    ['path: file.jsonl }', 'path: file.jsonl, suites: [{ nam: et, format: mbpp-et, path: x }] }'],
    's.yaml:5:56  benchmarks.b.suites.0.nam: unknown key "nam"; did you mean "name"?',
  ],
  [
    'tests without tasks',
    ['format: mbpp-plus', 'format: mbpp-et'],
    's.yaml:5:16  benchmarks.b.format: mbpp-et holds tests only; use mbpp-sanitized, with suites: [base, { name: ' +
      'et, format: mbpp-et, path: ... }]',
  ],
  [
    'a benchmark without what the study needs',
    ['format: mbpp-plus', 'format: humaneval'],
    "s.yaml:7:46  studies.0.benchmark: evaloop attaches the assert of a prompt's second-to-last line in every " +
      'loop, and humaneval has none; use one of mbpp-plus, evenkeel',
  ],
  [
    'a missing benchmark',
    ['benchmark: b }', 'benchmark: c }'],
    's.yaml:7:46  studies.0.benchmark: no benchmark "c"; did you mean "b"?',
  ],
  [
    'a missing provider',
    ['provider: simulated', 'provider: simulatd'],
    's.yaml:3:24  models.0.provider: no provider "simulatd"; did you mean "simulated"?',
  ],
  [
    'a missing judge',
    ['benchmark: b }', 'benchmark: b, settings: { judge: aa } }'],
    's.yaml:7:68  studies.0.settings.judge: no model "aa"; did you mean "a"?',
  ],
  [
    'a recording that is not named',
    ['provider: simulated, profile: strong', 'provider: replay'],
    's.yaml:3:5  models.0: a model with provider: replay needs "file", the recording',
  ],
  [
    'credentials in a URL',
    ['models:', 'providers: { x: { kind: openai, baseUrl: "https://u:p@h/v1" } }\nmodels:'],
    's.yaml:2:42  providers.x.baseUrl: must not contain credentials: name an environment variable in apiKeyEnv',
  ],
  [
    'a key in place of its variable',
    ['models:', 'providers: { x: { kind: openai, baseUrl: "https://h/v1", apiKeyEnv: sk-123 } }\nmodels:'],
    's.yaml:2:69  providers.x.apiKeyEnv: must be the name of an environment variable, not the key itself',
  ],
  [
    'no model to study',
    ['profile: strong', 'profile: strong, study: false'],
    's.yaml:7:5  studies.0: has no model to study: every model has study: false or is not in its list of models',
  ],
];

test.each(refused)('%s is refused with place, rule and the nearest name', (_name, [from, to], line) => {
  expect(good).toContain(from);
  expect(faultsOf(good.replace(from, to))).toContain(line);
});

test('a duplicate id is refused at its second occurrence', () => {
  const text = good.replace('benchmarks:', '  - { id: a, provider: simulated }\nbenchmarks:');
  expect(faultsOf(text)).toEqual(['s.yaml:4:11  models.1.id: duplicate name "a"; names must be unique']);
});

test('all errors are reported at once', () => {
  expect(
    faultsOf(good.replace('provider: simulated', 'provider: x').replace('benchmark: b', 'benchmark: c')),
  ).toHaveLength(3);
});

describe('text that is not a spec', () => {
  test.each(['name: [', '', '[]', 'just words', '\u0000'])('%j is an InputError with a place', (text) => {
    expect(faultsOf(text)[0]).toMatch(/^s\.yaml/);
  });
});

test.each([
  [
    'providers: { oai: { kind: openai, baseUrl: "https://api.openai.com/v1", apiKey: sk-123 } }',
    'providers.oai.apiKeyEnv',
  ],
  ['models: [{ id: one, provider: oai, api_key: sk-123 }]', 'providers.NAME.apiKeyEnv'],
])(
  'an API key in a spec is refused with a hint to use a variable, and is not repeated in the message: %s',
  (line, place) => {
    const refused = (): unknown => parseSpec(`name: x\n${line}\n`, 'spec.yaml');
    expect(refused).toThrow(
      `keys are never written into a spec: put the key into an environment variable and name that in ${place}`,
    );
    expect(refused).not.toThrow('sk-123');
  },
);
