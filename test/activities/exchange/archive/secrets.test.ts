import { expect, test } from 'vitest';
import { secretsOf, unsetVariablesOf } from '../../../../activities/exchange/archive/secrets.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';

const account = { kind: 'openai', baseUrl: 'http://127.0.0.1:9/v1' };
const manifest = {
  spec: {
    providers: {
      one: { ...account, apiKeyEnv: 'ONE' },
      two: { ...account, apiKeyEnv: 'TWO', headersEnv: { 'x-team': 'TEAM', 'x-other': 'ONE' } },
      free: account,
    },
  },
} as unknown as Manifest;

test('values of variables are searched for, and variables without a value are named once', () => {
  const env = { ONE: ' ', TEAM: 'sk-0123456789\n' };
  expect(secretsOf(manifest, env)).toEqual([{ name: 'TEAM', value: 'sk-0123456789' }]);
  expect(unsetVariablesOf(manifest, env)).toEqual(['ONE', 'TWO']);
});

// Red without `mayBeName`: a run whose programs have such a name could not be archived.
test('words that a program may have as a name, and short words, are not searched for', () => {
  const env = { ONE: 'not_needed_at_all', TWO: 'EMPTY', TEAM: 'not_needed_2' };
  expect(secretsOf(manifest, env)).toEqual([{ name: 'TEAM', value: 'not_needed_2' }]);
  expect(unsetVariablesOf(manifest, env)).toEqual([]);
});
