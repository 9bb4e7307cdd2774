/** Where a store's database is: `postgres://user@host:port/database?schema=...&sslmode=...`. */
import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { z } from 'zod';
import { InputError } from '../../../domain/errors.ts';
import { withoutPassword } from '../servers.ts';
import { faultsText } from '../../../domain/spec/faults-text.ts';
import { unreadable } from '../../../domain/unreadable.ts';

export interface PostgresAddress {
  readonly connection: Pick<ClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'>;
  /** All tables of a store are in one schema, so that several stores may share a database. */
  readonly schema: string;
  /** For people: the address without its password. */
  readonly name: string;
}

const parameters = z.strictObject({
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a lower-case name')
    .default('evenkeel'),
  sslmode: z.enum(['disable', 'require', 'verify-ca', 'verify-full']).optional(),
  sslrootcert: z.string().optional(),
  sslcert: z.string().optional(),
  sslkey: z.string().optional(),
  host: z.string().optional(),
  user: z.string().optional(),
});

type Parameters = z.infer<typeof parameters>;

/** Throws `InputError` for an address that says something unknown, so that no wish for TLS is overlooked. */
export function postgresAddress(store: string): PostgresAddress {
  if (!URL.canParse(store)) throw invalid(store, 'not an address');
  const url = new URL(store);
  const parsed = parameters.safeParse(Object.fromEntries(url.searchParams));
  if (!parsed.success) throw invalid(store, faultsText(parsed.error));
  const given = parsed.data;
  const host = given.host ?? (url.hostname === '' ? undefined : decodeURIComponent(url.hostname));
  const user = given.user ?? (url.username === '' ? undefined : decodeURIComponent(url.username));
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw invalid(store, 'it names no database');
  return {
    connection: {
      ...(host === undefined ? {} : { host }),
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      ...(user === undefined ? {} : { user }),
      ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
      database,
      ssl: tlsOf(given, host),
    },
    schema: given.schema,
    name: withoutPassword(store),
  };
}

function invalid(store: string, why: string): InputError {
  const form = 'postgres://user@host:5432/database?sslmode=verify-full&sslrootcert=/path/ca.pem&schema=evenkeel';
  return new InputError(`invalid address of a store: ${why}; expected ${form}; got "${withoutPassword(store)}"`);
}

/** Without `sslmode`, only a server on this machine is spoken to without TLS. The modes mean what they mean to psql. */
function tlsOf({ sslmode, sslrootcert, sslcert, sslkey }: Parameters, host: string | undefined): ClientConfig['ssl'] {
  const mode = sslmode ?? (isLocal(host) ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  return {
    rejectUnauthorized: mode !== 'require' || sslrootcert !== undefined,
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    ...(sslrootcert === undefined ? {} : { ca: pem(sslrootcert) }),
    ...(sslcert === undefined ? {} : { cert: pem(sslcert) }),
    ...(sslkey === undefined ? {} : { key: pem(sslkey) }),
  };
}

const isLocal = (host: string | undefined): boolean =>
  host === undefined || host.startsWith('/') || ['localhost', '127.0.0.1', '[::1]'].includes(host);

function pem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError(`cannot read this file for TLS: ${unreadable(error)}`, { file: path });
  }
}
