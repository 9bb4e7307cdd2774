/**
 * Ownership of a run: an advisory lock of a session, which the server drops when the session ends, and the number of
 * times that the run was taken. The session of a killed process ends at once; that of a dead host within 25 s. A
 * detached sweep owns its run by its epoch in the run's row, until it ends or the run is taken from it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { InputError } from '../../../../domain/errors.ts';
import type { Owned, Ownership } from '../../catalog/run-catalog.ts';
import type { Postgres } from '../postgres.ts';

/** A session that has just ended holds its lock a moment longer. */
const patienceMs = 500;
const pollMs = 50;
const againMs = 500;

/** @param refuseUnknown throws for a run that does not exist */
export function postgresOwnership(database: Postgres, run: string, refuseUnknown: () => Promise<void>): Ownership {
  return {
    async take({ fromDetached = false } = {}) {
      await refuseUnknown();
      const session = await database.session();
      if (!(await locked(session, run, patienceMs))) {
        await session.end();
        return null;
      }
      const { rows } = await session.query<{ readonly taken: string }>(
        `update run set taken = taken + 1, detached_epoch = null
         where id = $1 and (detached_epoch is null or $2::boolean) returning taken`,
        [run, fromDetached],
      );
      const [taken] = rows;
      if (taken !== undefined) return kept(database, run, session, taken.taken);
      await session.end();
      return null;
    },
    async isOwned() {
      const [row] = await database.query<{ readonly is: boolean }>(
        `select exists (select from pg_locks, owner_lock($1) as key where locktype = 'advisory' and granted
           and database = (select oid from pg_database where datname = current_database())
           and (classid::bigint << 32 | objid::bigint) = key and objsubid = 1)
           or exists (select from run where id = $1 and detached_epoch is not null) as is`,
        [run],
      );
      return row?.is === true;
    },
    async isDetached() {
      const found = await database.query('select from run where id = $1 and detached_epoch is not null', [run]);
      return found.length > 0;
    },
    async endDetached(epoch) {
      await database.query('update run set detached_epoch = null where id = $1 and detached_epoch = $2', [run, epoch]);
    },
  };
}

async function locked(session: Client, run: string, withinMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const { rows } = await session.query<{ readonly got: boolean }>(
      'select pg_try_advisory_lock(owner_lock($1)) as got',
      [run],
    );
    if (rows[0]?.got === true) return true;
    if (performance.now() > deadlineMs) return false;
    await sleep(pollMs);
  }
}

/** Keeps the run until it is released: a session that ends, as at a restart of the database, is replaced. */
function kept(database: Postgres, run: string, first: Client, taken: string): Owned {
  let session: Client | null = first;
  let isReleased = false;

  async function takeAgain(): Promise<void> {
    for (; !isReleased; await sleep(againMs, undefined, { ref: false })) {
      const next = await database.session().catch(() => null);
      const answer = next === null ? 'unknown' : await ownAgain(next, run, taken);
      if (next !== null && answer === 'yes' && !isReleased) {
        watch(next);
        return;
      }
      await next?.end().catch(() => {});
      if (answer === 'no') return;
    }
  }

  function watch(current: Client): void {
    session = current;
    current.once('end', () => {
      session = null;
      if (!isReleased) void takeAgain();
    });
  }

  async function release(): Promise<void> {
    isReleased = true;
    await session?.end().catch(() => {});
  }

  watch(first);
  return {
    release,
    // The mark first: between the two, the run has two owners and not none.
    async detach(epoch) {
      const sql = 'update run set detached_epoch = $2 where id = $1 and taken = $3 returning id';
      const rows = await database.query(sql, [run, epoch, taken]);
      if (rows.length === 0) throw new InputError(`run "${run}" was taken by another process meanwhile`);
      await release();
    },
  };
}

/** `no`: another has taken the run since. `unknown`: ask again, since the lost session may still have the lock. */
async function ownAgain(session: Client, run: string, taken: string): Promise<'yes' | 'no' | 'unknown'> {
  try {
    const isLocked = await locked(session, run, 0);
    const { rows } = await session.query<{ readonly taken: string }>('select taken from run where id = $1', [run]);
    if (rows[0]?.taken !== taken) return 'no';
    return isLocked ? 'yes' : 'unknown';
  } catch {
    return 'unknown';
  }
}
