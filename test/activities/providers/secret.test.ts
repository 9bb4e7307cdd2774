import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpointOptions } from '../../../activities/providers/endpoint-options.ts';
import { readSecret } from '../../../activities/providers/secret.ts';
import { unsetVariables } from '../../../activities/runs/spec-faults.ts';
import { checkAccounts } from '../../../activities/runs/probe-spec.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';

test('what is taken, headers take', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...' \t\r\n\0\u007fa!~\u0080é\u00ff\u0100…') }), (value) => {
      const secret = readSecret('KEY', { KEY: value });
      if (!('value' in secret)) return;
      const sent = `Bearer ${secret.value}`;
      expect(new Headers({ authorization: sent }).get('authorization')).toBe(sent);
    }),
  );
});

test.each([
  [undefined, 'is not set'],
  ['', 'is not set'],
  [' \r\n', 'is not set'],
  ['sk-secret\nmore', 'has a line break or another character that is not allowed in a header'],
  ['sk-sécret…', 'has a line break or another character that is not allowed in a header'],
])('%j is no key', (value, fault) => {
  expect(readSecret('KEY', { KEY: value })).toEqual({ fault });
});

test('a line end after a key, as files have it, is not of the key', () => {
  expect(readSecret('KEY', { KEY: 'sk-secret\r\n' })).toEqual({ value: 'sk-secret' });
});

const text = `name: probed
providers: { mine: { kind: openai, baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: EVENKEEL_TEST_BROKEN_KEY } }
models: [{ id: one, provider: mine }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny }]
`;

// Red where the header's own refusal was passed on: it quotes the key, on the screen and in the run folder.
test('a key that is not allowed in a header is named by its variable, and never quoted', async () => {
  const spec = parseSpec(text, 'spec.yaml');
  const env = { EVENKEEL_TEST_BROKEN_KEY: 'sk-secret\nmore' };
  const said = 'EVENKEEL_TEST_BROKEN_KEY';
  const probed = await checkAccounts({ spec, text, path: 'spec.yaml' }, env).catch(String);
  process.env[said] = env.EVENKEEL_TEST_BROKEN_KEY;
  const account = spec.providers['mine'];
  if (account === undefined) throw new Error('the spec has the provider');
  try {
    expect(() => endpointOptions(account).apiKey).toThrow(`${said} has a line break`);
    expect(() => endpointOptions(account).apiKey).not.toThrow('sk-secret');
  } finally {
    delete process.env[said];
  }
  const messages = [String(probed), ...unsetVariables(spec, env)];
  expect(messages).toHaveLength(2);
  for (const message of messages) {
    expect(message).toContain(`${said}`);
    expect(message).toContain('has a line break');
    expect(message).not.toContain('sk-secret');
  }
});
