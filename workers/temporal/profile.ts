/** Connection settings from a profile of Temporal's own tools, a TOML file that holds several. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ClientConfigProfile, ConfigDataSource, loadClientConfigProfile } from '@temporalio/envconfig';
import { InputError } from '../../domain/errors.ts';
import type { Environment } from './cache-folder.ts';

/**
 * The variables of the profile that TEMPORAL_PROFILE or TEMPORAL_CONFIG_FILE asks for, under those that are set.
 * Without either, a file that Temporal's tools left on the machine changes nothing. Throws `InputError` for a profile
 * that cannot be read, or that asks for headers.
 */
export function withProfile(env: Environment): Environment {
  const [profile, file] = [named(env, 'TEMPORAL_PROFILE'), named(env, 'TEMPORAL_CONFIG_FILE')];
  if (profile === undefined && file === undefined) return env;
  const found = readProfile(env, profile, file);
  if (found.grpcMeta !== undefined)
    throw new InputError(`profile ${profile ?? 'default'} must have no grpc_meta, which evenkeel does not send`, {
      field: 'TEMPORAL_PROFILE',
    });
  return {
    ...variablesOf(found),
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
  };
}

function readProfile(env: Environment, profile: string | undefined, file: string | undefined): ClientConfigProfile {
  if (file !== undefined && !existsSync(file))
    throw new InputError('must name a file with profiles, this one does not exist', {
      file,
      field: 'TEMPORAL_CONFIG_FILE',
    });
  try {
    return load()({
      ...(profile !== undefined && { profile }),
      ...(file !== undefined && { configSource: { path: file } }),
      disableEnv: true,
      overrideEnvVars: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
      ),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`cannot be read: ${reason}`, {
      ...(file !== undefined && { file }),
      field: profile === undefined ? 'TEMPORAL_CONFIG_FILE' : 'TEMPORAL_PROFILE',
    });
  }
}

/** Loaded when a profile is asked for: commands start faster without it. */
const load = (): typeof loadClientConfigProfile =>
  (
    createRequire(import.meta.url)('@temporalio/envconfig') as {
      loadClientConfigProfile: typeof loadClientConfigProfile;
    }
  ).loadClientConfigProfile;

function variablesOf({ address, namespace, apiKey, tls }: ClientConfigProfile): Environment {
  return {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_API_KEY: apiKey,
    TEMPORAL_TLS: tls === undefined ? undefined : String(tls.disabled !== true),
    TEMPORAL_TLS_SERVER_NAME: tls?.serverName,
    ...pem('TEMPORAL_TLS_SERVER_CA_CERT', tls?.serverCACert),
    ...pem('TEMPORAL_TLS_CLIENT_CERT', tls?.clientCert),
    ...pem('TEMPORAL_TLS_CLIENT_KEY', tls?.clientKey),
  };
}

function pem(name: string, source: ConfigDataSource | undefined): Environment {
  if (source === undefined) return {};
  return 'path' in source
    ? { [`${name}_PATH`]: source.path }
    : { [`${name}_DATA`]: Buffer.from(source.data).toString('utf8') };
}

const named = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;
