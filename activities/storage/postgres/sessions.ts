/** Sessions with one store's database. Every wait has a limit, on this side and on the server's. */
import type { Client, ClientConfig, Pool } from 'pg';
import { type PostgresAddress, postgresAddress } from './address.ts';
import { loadDriver } from './driver.ts';

export interface Sessions {
  readonly address: PostgresAddress;
  pool(): Promise<Pool>;
  /** A session that is not of the pool, for what lasts as long as a session. It is not connected yet. */
  alone(): Promise<Client>;
  close(): Promise<void>;
}

const pooled = 10;

export function openSessions(store: string): Sessions {
  const address = postgresAddress(store);
  let opened: Promise<Pool> | undefined;
  const open = async (): Promise<Pool> => {
    const { Pool } = await loadDriver();
    const pool = new Pool({ ...config(address), max: pooled, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
    // An idle session that ends is removed from the pool; without a listener it would end the process.
    return pool.on('error', () => {});
  };
  return {
    address,
    pool: () => (opened ??= open()),
    alone: async () => new (await loadDriver()).Client(config(address)),
    async close() {
      const pool = await opened;
      opened = undefined;
      await pool?.end();
    },
  };
}

/**
 * The server drops the session of a dead host, and with it its locks, after 10 + 3 x 5 s. `synchronous_commit` is on
 * whatever the server's own setting: what was acknowledged is stored.
 */
const settings = [
  ...['tcp_keepalives_idle=10', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3', 'tcp_user_timeout=25000'],
  ...['idle_session_timeout=0', 'synchronous_commit=on', 'default_transaction_isolation=read\\ committed'],
];

const config = ({ connection, schema }: PostgresAddress): ClientConfig => ({
  ...connection,
  options: [`search_path=${schema}`, ...settings].map((setting) => `-c ${setting}`).join(' '),
  application_name: 'evenkeel',
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  lock_timeout: 20_000,
  statement_timeout: 40_000,
  query_timeout: 45_000,
  idle_in_transaction_session_timeout: 20_000,
});
