/** The JSON Schema that editors use, checked by an independent validator. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { InputError } from '../../../domain/errors.ts';
import { specJsonSchema, specJsonSchemaText } from '../../../domain/spec/json-schema.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { specMarkdown } from '../../../domain/spec/reference.ts';
import { init } from '../../../cli/commands/init.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const validate = new Ajv({ allErrors: true, strict: true, strictTypes: false }).compile(specJsonSchema());

describe('the generated files in the repository are up to date (if not: node scripts/spec-files.ts)', () => {
  test('schemas/spec.schema.json', () => {
    expect(read('schemas/spec.schema.json')).toBe(specJsonSchemaText());
  });

  test('docs/spec.md', () => {
    expect(read('docs/spec.md')).toBe(specMarkdown());
  });
});

test('every key of every map has a description, which is also in docs/spec.md', () => {
  const described = mapsOf(specJsonSchema()).flatMap((map) => Object.entries(map));
  expect(described.length).toBeGreaterThan(50);
  const text = spaced(read('docs/spec.md'));
  for (const [key, value] of described) {
    expect(value, key).toHaveProperty('description');
    expect(text).toContain(spaced(String((value as { description: string }).description)));
  }
});

// Red before: a model's id had a pattern with a Unicode property, which Python's jsonschema does not read.
test('patterns are written so that other languages read them', () => {
  const patterns = [...specJsonSchemaText().matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '""']) => JSON.parse(text) as string,
  );
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /\\[pP]\{/.test(pattern))).toEqual([]);
});

test('docs/spec.md has the upper bound of a number that must stay below it', () => {
  expect(specMarkdown()).toContain('- `alpha` (number > 0 < 0.5; default `0.05`): ');
  expect(specMarkdown()).toContain('- `ratios` (list of number > 0 < 1; default ');
});

/** Without line breaks. */
const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** The properties of every map in a JSON Schema, however deep. */
function mapsOf(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? [schema.properties as Record<string, unknown>] : [];
  return [...own, ...Object.values(schema).flatMap(mapsOf)];
}

describe('accepted by the JSON Schema validator and by evenkeel', () => {
  test('the specs that init writes, next to their schema', () => {
    const folder = temporaryFolder();
    const said: string[] = [];
    init(folder, { ...createTerminal(false), out: (text) => said.push(text) });
    expect(said.join()).toContain(join(folder, 'evenkeel.schema.json'));
    const texts = ['evaloop.yaml', 'promptse.yaml', 'robunfr.yaml', 'specificity.yaml', 'pass.yaml'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    for (const text of texts) {
      expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=evenkeel.schema.json');
      expectAccepted(text);
    }
    expect(readFileSync(join(folder, 'evenkeel.schema.json'), 'utf8')).toBe(specJsonSchemaText());
  });

  const documents = [
    'README.md',
    'docs/benchmarks.md',
    'docs/providers.md',
    'docs/studies/evaloop.md',
    'docs/studies/robunfr.md',
  ];
  const examples = documents.flatMap((path) =>
    [...read(path).matchAll(/^```yaml\n(.*?)^```/gms)].map((match, index): [string, string] => [
      `${path}, example ${index + 1}`,
      match[1] as string,
    ]),
  );

  test.each(examples)('%s', (_name, text) => {
    expectAccepted(completed(text));
  });
});

/** Documents only show the part that they explain. */
function completed(text: string): string {
  const example = parse(text) as Record<string, unknown>;
  const benchmarks = {
    mbpp: { format: 'mbpp-plus', path: 'file.jsonl' },
    ...(example['benchmarks'] as object | undefined),
  };
  const rest = {
    name: 'example',
    models: [
      { id: 'sim', provider: 'simulated' },
      { id: 'gpt4t', provider: 'simulated' },
    ],
    studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp' }],
  };
  return JSON.stringify({ ...rest, ...example, benchmarks });
}

function expectAccepted(text: string): void {
  validate(parse(text));
  expect(validate.errors).toBeNull();
  expect(() => parseSpec(text, 's.yaml')).not.toThrow();
}

const good = {
  name: 'nightly',
  providers: { oai: { kind: 'openai', baseUrl: 'https://host/v1' } },
  models: [{ id: 'a', provider: 'simulated' }],
  benchmarks: { b: { format: 'mbpp-plus', path: 'file.jsonl' } },
  studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'b' }],
};
const model = (change: object) => ({ ...good, models: [{ ...good.models[0], ...change }] });
const account = (change: object) => ({ ...good, providers: { oai: { ...good.providers.oai, ...change } } });
const benchmark = (change: object) => ({ ...good, benchmarks: { b: { ...good.benchmarks.b, ...change } } });
const study = (change: object) => ({ ...good, studies: [{ ...good.studies[0], ...change }] });

/** Rules that a schema can express; only evenkeel checks the others (names that must exist, files). */
const bad: readonly (readonly [string, unknown])[] = [
  ['a list', [good]],
  ['null', null],
  ['no name', { ...good, name: undefined }],
  ['a name of slashes', { ...good, name: '../x' }],
  ['an unknown key', { ...good, nam: 'x' }],
  ['a seed between numbers', { ...good, seed: 1.5 }],
  ['no models', { ...good, models: [] }],
  ['models by name', { ...good, models: { a: {} } }],
  ['a model without a provider', model({ provider: undefined })],
  ['an unknown key of a model', model({ temprature: 1 })],
  ['a temperature of 3', model({ parameters: { temperature: 3 } })],
  ['half a token', model({ parameters: { maxTokens: 0.5 } })],
  ['a price in one direction', model({ price: { inputUsdPerMillion: 1 } })],
  ['a negative price', model({ price: { inputUsdPerMillion: -1, outputUsdPerMillion: 1 } })],
  ['a profile that is a number', model({ profile: 3 })],
  ['an unknown kind of account', account({ kind: 'anthropic' })],
  ['a base URL without a scheme', account({ baseUrl: 'host/v1' })],
  ['a base URL of a file', account({ baseUrl: 'file:///etc/passwd' })],
  ['a base URL with credentials', account({ baseUrl: 'https://user:secret@host/v1' })],
  ['a base URL with a query', account({ baseUrl: 'https://host/v1?key=secret' })],
  ['a key in the spec', account({ apiKey: 'sk-123' })],
  ['a key in place of its variable', account({ apiKeyEnv: 'sk-123' })],
  ['a header in place of its variable', account({ headersEnv: { authorization: 'Bearer sk-123' } })],
  ['no calls at a time', account({ limits: { concurrency: 0 } })],
  ['an account named like a path', { ...good, providers: { 'a/b': good.providers.oai } }],
  ['an unknown format', benchmark({ format: 'mbpp' })],
  ['a benchmark without a path', benchmark({ path: undefined })],
  ['no suites', benchmark({ suites: [] })],
  ['a joined suite without a path', benchmark({ suites: [{ name: 'et', format: 'mbpp-et' }] })],
  ['a limit of no task', benchmark({ tasks: { limit: 0 } })],
  ['an unknown kind of study', study({ kind: 'evalop' })],
  ['an unknown setting', study({ settings: { maxLoop: 3 } })],
  ['a study of no model', study({ models: [] })],
  ['a negative budget', { ...good, budget: { usd: -1 } }],
  ['a budget of nothing', { ...good, budget: {} }],
];

describe('refused by the JSON Schema validator and by evenkeel', () => {
  test('the spec that these are derived from is accepted', () => {
    expectAccepted(JSON.stringify(good));
  });

  test.each(bad)('%s', (_name, spec) => {
    const text = JSON.stringify(spec);
    expect(validate(JSON.parse(text))).toBe(false);
    expect(() => parseSpec(text, 's.json')).toThrow(InputError);
  });
});
