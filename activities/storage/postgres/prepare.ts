/** Makes and updates a store's tables, and grants what a role needs to work with them. */
import type { Client } from 'pg';
import { InputError, MissingPartError } from '../../../domain/errors.ts';
import { migrations, newer, versionOf } from './migrations/versions.ts';
import { openSessions } from './sessions.ts';

export interface Prepared {
  /** Of the tables, before and now; 0 stands for none. */
  readonly from: number;
  readonly to: number;
}

/**
 * Needs a role that may create a schema in the database, or that owns the store's. All migrations are applied, or none;
 * of several that prepare a store at once, one does. Throws `InputError` for tables of a newer program, and
 * `MissingPartError` if the database cannot be reached or refuses.
 * @param role is made if it does not exist: it may read and write rows, and neither create nor drop anything
 */
export async function prepareStore(store: string, { role }: { readonly role?: string } = {}): Promise<Prepared> {
  const sessions = openSessions(store);
  const { name, schema } = sessions.address;
  const client = await sessions.alone();
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock(hashtextextended('evenkeel migrations of ' || $1, 0))", [schema]);
    const from = await versionOf(client, schema);
    if (from > migrations.length) throw newer(name, from);
    if (from === 0) await makeSchema(client, schema);
    for (const [index, sql] of migrations.entries()) if (index >= from) await apply(client, index + 1, sql);
    if (role !== undefined) await grant(client, schema, role);
    await client.query('commit');
    return { from, to: migrations.length };
  } catch (error) {
    throw error instanceof InputError ? error : notPrepared(name, error);
  } finally {
    await client.end().catch(() => {});
  }
}

const notPrepared = (name: string, cause: unknown): MissingPartError =>
  new MissingPartError(
    `${name} could not be prepared: ${cause instanceof Error ? cause.message : String(cause)}; check that it runs ` +
      'and can be reached, and that the role in its address may log in and create a schema',
    { cause },
  );

async function makeSchema(client: Client, schema: string): Promise<void> {
  // Without the right to create one, an existing schema is still of use.
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`create schema ${client.escapeIdentifier(schema)}`);
  await client.query('create table migration (version int primary key, applied_at timestamptz not null default now())');
}

async function apply(client: Client, version: number, sql: string): Promise<void> {
  await client.query(sql);
  await client.query('insert into migration (version) values ($1)', [version]);
}

async function grant(client: Client, schema: string, role: string): Promise<void> {
  const [within, to] = [client.escapeIdentifier(schema), client.escapeIdentifier(role)];
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  // Roles are the server's: whoever prepares another store at the same time may have made it meanwhile.
  if (rowCount === 0)
    await client.query(`do $$ begin create role ${to} login;
      exception when duplicate_object or unique_violation then null; end $$`);
  const rows = 'select, insert, update, delete';
  for (const sql of [
    `grant usage on schema ${within} to ${to}`,
    `grant ${rows} on all tables in schema ${within} to ${to}`,
    `grant usage on all sequences in schema ${within} to ${to}`,
    `revoke insert, update, delete on ${within}.migration from ${to}`,
    `alter default privileges in schema ${within} grant ${rows} on tables to ${to}`,
    `alter default privileges in schema ${within} grant usage on sequences to ${to}`,
  ])
    await client.query(sql);
}
