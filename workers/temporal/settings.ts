/** How to reach a Temporal server, read from the environment by the names that Temporal's own tools use. */
import { readFileSync } from 'node:fs';
import { InputError } from '../../domain/errors.ts';
import type { Environment } from './cache-folder.ts';
import { withProfile } from './profile.ts';

export interface TlsSettings {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
}

export interface TemporalSettings {
  /** host:port */
  readonly address: string;
  readonly namespace: string;
  readonly apiKey: string | null;
  /** Null for plain text. */
  readonly tls: TlsSettings | null;
}

/**
 * The cluster that `TEMPORAL_ADDRESS` names, or the profile that `TEMPORAL_PROFILE` names; null if neither does. Throws
 * `InputError` for contradictory or unreadable settings.
 */
export function clusterSettings(variables: Environment): TemporalSettings | null {
  const env = withProfile(variables);
  const address = textOf(env, 'TEMPORAL_ADDRESS');
  if (address === null) return null;
  if (!/^[^\s/@]+:\d+$/.test(address)) {
    throw new InputError(`must be host:port without scheme or credentials, got '${address.replace(/^.*@/, '***@')}'`, {
      field: 'TEMPORAL_ADDRESS',
    });
  }
  const apiKey = textOf(env, 'TEMPORAL_API_KEY');
  return {
    address,
    namespace: textOf(env, 'TEMPORAL_NAMESPACE') ?? 'default',
    apiKey,
    tls: tlsSettings(env, apiKey !== null),
  };
}

/**
 * Variables that let a child process reach the same server. For a plain-text server they also disable TLS and key
 * variables that may be set.
 */
export function settingsEnvironment(settings: TemporalSettings): Record<string, string> {
  return {
    TEMPORAL_ADDRESS: settings.address,
    TEMPORAL_NAMESPACE: settings.namespace,
    ...(settings.tls === null ? { TEMPORAL_TLS: 'false' } : {}),
    ...(settings.apiKey === null ? { TEMPORAL_API_KEY: '' } : {}),
  };
}

/**
 * On when `TEMPORAL_TLS` says so, or when any certificate or an API key is given; `TEMPORAL_TLS=false` keeps it off.
 */
function tlsSettings(env: Environment, hasApiKey: boolean): TlsSettings | null {
  const wanted = booleanOf(env, 'TEMPORAL_TLS');
  if (wanted === false) return null;
  const ca = pemOf(env, 'TEMPORAL_TLS_SERVER_CA_CERT');
  const crt = pemOf(env, 'TEMPORAL_TLS_CLIENT_CERT');
  const key = pemOf(env, 'TEMPORAL_TLS_CLIENT_KEY');
  const serverName = textOf(env, 'TEMPORAL_TLS_SERVER_NAME');
  if ((crt === null) !== (key === null)) {
    throw new InputError('set both the client certificate and its key, or neither', {
      field: 'TEMPORAL_TLS_CLIENT_CERT, TEMPORAL_TLS_CLIENT_KEY',
    });
  }
  if (wanted === null && !hasApiKey && ca === null && crt === null && serverName === null) return null;
  return {
    ...(serverName === null ? {} : { serverNameOverride: serverName }),
    ...(ca === null ? {} : { serverRootCACertificate: ca }),
    ...(crt === null || key === null ? {} : { clientCertPair: { crt, key } }),
  };
}

/** The PEM text in `<name>_DATA` or in the file that `<name>_PATH` names. */
function pemOf(env: Environment, name: string): Buffer | null {
  const text = textOf(env, `${name}_DATA`);
  if (text !== null) return Buffer.from(text);
  const path = textOf(env, `${name}_PATH`);
  if (path === null) return null;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InputError(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      file: path,
      field: `${name}_PATH`,
    });
  }
}

function booleanOf(env: Environment, name: string): boolean | null {
  const value = textOf(env, name)?.toLowerCase() ?? null;
  if (value === null) return null;
  if (['true', '1'].includes(value)) return true;
  if (['false', '0'].includes(value)) return false;
  throw new InputError(`must be true or false, got '${value}'`, { field: name });
}

function textOf(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}
