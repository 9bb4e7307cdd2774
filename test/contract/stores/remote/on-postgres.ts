import { describe, inject } from 'vitest';
import { prepareStore } from '../../../../activities/storage/postgres/prepare.ts';

const server = inject('postgres');

let stores = 0;

/** A store without anything in it, in a schema of its own. */
export async function newPostgresStore(role?: string): Promise<string> {
  stores += 1;
  const store = storeIn(`t_${process.pid}_${stores}_${Date.now()}`);
  await prepareStore(store, role === undefined ? {} : { role });
  return role === undefined ? store : store.replace('evenkeel@', `${role}@`);
}

/** A store that is not prepared. */
export function storeIn(schema: string): string {
  if ('missing' in server) throw new Error(server.missing);
  return `${server.there}?schema=${schema}`;
}

/** Tests that need a PostgreSQL server: skipped, with the reason in their name, on a machine without one. */
export function onPostgres(name: string, tests: () => void): void {
  if ('missing' in server) describe.skip(`${name} (${server.missing})`, tests);
  else describe(name, tests);
}
