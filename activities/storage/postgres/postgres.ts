/** One store's database: statements and transactions that survive conflicts, restarts and lost answers. */
import { randomUUID } from 'node:crypto';
import type { Client, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { checkVersion } from './migrations/versions.ts';
import { retried } from './retried.ts';
import { openSessions, type Sessions } from './sessions.ts';

/** Rows of one statement. */
export type Query = <Row extends QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface Postgres {
  /** For people. */
  readonly name: string;
  /** One statement outside of any transaction. It is sent again if its answer was lost, so it may happen twice. */
  query: Query;
  /**
   * Runs `work` in a transaction, which is stored once or not at all. `work` may be called again, so its only effects
   * are its statements. If the answer to the commit is lost, this finds out whether it was stored.
   */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Runs `read`, which changes nothing, on one consistent state. It may be called again. */
  snapshot<T>(read: (query: Query) => Promise<T>): Promise<T>;
  /** A connected session that is not shared. Its end is its owner's to see. */
  session(): Promise<Client>;
  close(): Promise<void>;
}

/** How long something is tried again, in milliseconds. */
interface Patience {
  /** A database that restarts is back before. */
  readonly usual: number;
  /** While it is not known whether a commit was stored. */
  readonly unconfirmed: number;
}

const patient: Patience = { usual: 60_000, unconfirmed: 600_000 };

/** What tells a process's changes apart: one change at a time, each with the next number. */
interface Slot {
  readonly id: string;
  change: number;
}

/** @param store its address; nothing is loaded or connected before the first use */
export function openPostgres(store: string, patience = patient): Postgres {
  const sessions = openSessions(store);
  const { name } = sessions.address;
  const withClient = clientsOf(sessions);
  return {
    name,
    query: (sql, values) =>
      retried(
        name,
        () => patience.usual,
        () => withClient((client) => queryOf(client)(sql, values)),
      ),
    transaction: transactionsOf(name, withClient, patience),
    snapshot: (read) =>
      retried(
        name,
        () => patience.usual,
        () =>
          withClient(async (client) => {
            await client.query('begin isolation level repeatable read read only');
            const result = await read(queryOf(client));
            await client.query('commit');
            return result;
          }),
      ),
    session: () =>
      retried(
        name,
        () => patience.usual,
        async () => {
          const client = await sessions.alone();
          client.on('error', () => {});
          await client.connect();
          return client;
        },
      ),
    close: () => sessions.close(),
  };
}

type WithClient = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

function clientsOf(sessions: Sessions): WithClient {
  const { name, schema } = sessions.address;
  let checked: Promise<void> | undefined;

  async function connected(): Promise<PoolClient> {
    const client = await (await sessions.pool()).connect();
    try {
      checked ??= checkVersion(client, name, schema);
      await checked;
      return client;
    } catch (error) {
      checked = undefined;
      client.release(true);
      throw error;
    }
  }

  /** A session whose work failed may be lost or in the middle of something: it is not used again. */
  return async (work) => {
    const client = await connected();
    let failed = true;
    // Without a listener a session that ends while it is used would end the process.
    const ignore = (): void => {};
    client.on('error', ignore);
    try {
      const result = await work(client);
      failed = false;
      return result;
    } finally {
      client.off('error', ignore);
      client.release(failed);
    }
  };
}

function transactionsOf(name: string, withClient: WithClient, patience: Patience): Postgres['transaction'] {
  const slots: Slot[] = [];
  return async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    const slot = slots.pop() ?? { id: randomUUID(), change: 0 };
    slot.change += 1;
    let unconfirmed: { readonly result: T } | null = null;
    const attempt = async (client: PoolClient): Promise<T> => {
      const isFirst = await begin(client, slot);
      if (!isFirst && unconfirmed !== null) {
        await client.query('rollback');
        return unconfirmed.result;
      }
      const result = await work(queryOf(client));
      unconfirmed = { result };
      await client.query('commit');
      return result;
    };
    const isUnknown = (): boolean => unconfirmed !== null;
    const patienceMs = (): number => (isUnknown() ? patience.unconfirmed : patience.usual);
    const result = await retried(name, patienceMs, () => withClient(attempt), isUnknown);
    slots.push(slot);
    return result;
  };
}

const queryOf =
  (client: PoolClient): Query =>
  async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
    (await client.query<Row>(sql, [...values])).rows;

/**
 * Begins a transaction that is this change of its slot. False if that change is stored already: its commit came
 * through, and only the answer was lost. If it is still under way in a session that is lost on this side, the insert
 * waits for its end.
 */
async function begin(client: PoolClient, { id, change }: Slot): Promise<boolean> {
  const results = (await client.query(
    `begin; insert into commit_slot (slot, change) values ('${id}', ${change}) on conflict (slot) do update ` +
      'set change = excluded.change, changed_at = excluded.changed_at where commit_slot.change < excluded.change',
  )) as unknown as readonly QueryResult[];
  return results[1]?.rowCount === 1;
}
