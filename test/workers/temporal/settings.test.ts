import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../../../domain/errors.ts';
import { clusterSettings, settingsEnvironment } from '../../../workers/temporal/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const address = 'temporal.example:7233';

test('without TEMPORAL_ADDRESS there is no cluster, whatever else is set', () => {
  expect(clusterSettings({ TEMPORAL_NAMESPACE: 'x', TEMPORAL_API_KEY: 'k' })).toBeNull();
  expect(clusterSettings({ TEMPORAL_ADDRESS: ' ' })).toBeNull();
});

test('an address alone means namespace default without TLS', () => {
  expect(clusterSettings({ TEMPORAL_ADDRESS: address })).toEqual({
    address,
    namespace: 'default',
    apiKey: null,
    tls: null,
  });
});

test('an API key turns TLS on, unless TEMPORAL_TLS is false', () => {
  expect(clusterSettings({ TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: 'k' })).toMatchObject({ apiKey: 'k', tls: {} });
  expect(clusterSettings({ TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: 'false' })).toMatchObject({
    apiKey: 'k',
    tls: null,
  });
});

test('certificates come from files or from the variables themselves', () => {
  const file = join(temporaryFolder(), 'ca.pem');
  writeFileSync(file, 'CA');
  const env = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file,
    TEMPORAL_TLS_CLIENT_CERT_DATA: 'CRT',
    TEMPORAL_TLS_CLIENT_KEY_DATA: 'KEY',
  };
  expect(clusterSettings(env)?.tls).toEqual({
    serverRootCACertificate: Buffer.from('CA'),
    clientCertPair: { crt: Buffer.from('CRT'), key: Buffer.from('KEY') },
  });
});

test.each([
  { env: { TEMPORAL_ADDRESS: 'https://temporal.example:7233' }, named: 'TEMPORAL_ADDRESS' },
  { env: { TEMPORAL_ADDRESS: 'temporal.example' }, named: 'TEMPORAL_ADDRESS' },
  { env: { TEMPORAL_ADDRESS: address, TEMPORAL_TLS: 'maybe' }, named: 'TEMPORAL_TLS' },
  { env: { TEMPORAL_ADDRESS: address, TEMPORAL_TLS_CLIENT_CERT_DATA: 'CRT' }, named: 'TEMPORAL_TLS_CLIENT_KEY' },
  { env: { TEMPORAL_ADDRESS: address, TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/no/such/ca.pem' }, named: '/no/such/ca.pem' },
])('$env is refused, naming $named', ({ env, named }) => {
  expect(() => clusterSettings(env)).toThrow(InputError);
  expect(() => clusterSettings(env)).toThrow(named);
});

test('a password in an address is refused without being repeated', () => {
  expect(() => clusterSettings({ TEMPORAL_ADDRESS: 'grpc://me:hunter2@temporal.example:7233' })).toThrow(/host:port/);
  expect(() => clusterSettings({ TEMPORAL_ADDRESS: 'grpc://me:hunter2@temporal.example:7233' })).not.toThrow(/hunter2/);
  expect(() => clusterSettings({ TEMPORAL_ADDRESS: 'me:hunter2@temporal.example:7233' })).not.toThrow(/hunter2/);
});

test('a child process reads the settings of a plain server despite stray TLS and key variables', () => {
  const settings = { address: '127.0.0.1:20000', namespace: 'default', apiKey: null, tls: null };
  const stray = { TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: 'true', TEMPORAL_NAMESPACE: 'other' };
  expect(clusterSettings({ ...stray, ...settingsEnvironment(settings) })).toEqual(settings);
});
