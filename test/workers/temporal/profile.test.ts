import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../../../domain/errors.ts';
import { clusterSettings, settingsEnvironment } from '../../../workers/temporal/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A configuration as `temporal config set` writes it. */
function configured(): { readonly TEMPORAL_CONFIG_FILE: string; readonly XDG_CONFIG_HOME: string } {
  const folder = temporaryFolder();
  const [file, ca] = [join(folder, 'temporal.toml'), join(folder, 'ca.pem')];
  writeFileSync(ca, 'CA');
  writeFileSync(
    file,
    `[profile.default]
address = "default.example:7233"
[profile.cloud]
address = "cloud.example:7233"
namespace = "studies"
api_key = "secret"
[profile.private]
address = "private.example:7233"
[profile.private.tls]
server_ca_cert_path = "${ca}"
client_cert_data = "CRT"
client_key_data = "KEY"
server_name = "temporal.internal"
[profile.plain]
address = "plain.example:7233"
api_key = "secret"
tls = { disabled = true }
[profile.headers]
address = "headers.example:7233"
grpc_meta = { tenant = "a" }
[profile.empty]
`,
  );
  return { TEMPORAL_CONFIG_FILE: file, XDG_CONFIG_HOME: folder };
}

test('a profile is a cluster, the one named default if none is named', () => {
  const env = configured();
  const plain = { namespace: 'default', apiKey: null, tls: null };
  expect(clusterSettings(env)).toEqual({ ...plain, address: 'default.example:7233' });
  expect(clusterSettings({ ...env, TEMPORAL_PROFILE: 'cloud' })).toEqual({
    address: 'cloud.example:7233',
    namespace: 'studies',
    apiKey: 'secret',
    tls: {},
  });
  expect(clusterSettings({ ...env, TEMPORAL_PROFILE: 'private' })?.tls).toEqual({
    serverNameOverride: 'temporal.internal',
    serverRootCACertificate: Buffer.from('CA'),
    clientCertPair: { crt: Buffer.from('CRT'), key: Buffer.from('KEY') },
  });
  expect(clusterSettings({ ...env, TEMPORAL_PROFILE: 'plain' })?.tls).toBeNull();
  expect(clusterSettings({ ...env, TEMPORAL_PROFILE: 'empty' })).toBeNull();
});

test('variables that are set come before the profile, also in processes that a command starts', () => {
  const env = { ...configured(), TEMPORAL_PROFILE: 'cloud' };
  expect(clusterSettings({ ...env, TEMPORAL_NAMESPACE: 'other' })?.namespace).toBe('other');
  const embedded = { address: '127.0.0.1:7000', namespace: 'default', apiKey: null, tls: null };
  expect(clusterSettings({ ...env, ...settingsEnvironment(embedded) })).toEqual(embedded);
});

test('without TEMPORAL_PROFILE and TEMPORAL_CONFIG_FILE no file counts', () => {
  const { XDG_CONFIG_HOME } = configured();
  expect(clusterSettings({ XDG_CONFIG_HOME, HOME: XDG_CONFIG_HOME })).toBeNull();
});

test.each([
  ['an unknown profile', { TEMPORAL_PROFILE: 'nobody' }, /nobody/],
  ['headers', { TEMPORAL_PROFILE: 'headers' }, /must have no grpc_meta/],
  ['a missing file', { TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml' }, /does not exist/],
])('%s is refused', (_what, env, named) => {
  const settings = () => clusterSettings({ ...configured(), ...env });
  expect(settings).toThrow(InputError);
  expect(settings).toThrow(named);
});
