/** The lock of a run's manifest: an advisory lock of a session of its own, which the server drops with its process. */
import type { PartBook } from '../../ledger/part-book.ts';
import type { Postgres } from '../postgres.ts';
import { isConflict, retried } from '../retried.ts';

/** Work of this process waits here, so that it needs one session at a time. */
export function manifestLock(database: Postgres, run: number): PartBook['withManifestLock'] {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const own = before.then(() => locked(database, run, work));
    before = own.catch(() => {});
    return own;
  };
}

async function locked<T>(database: Postgres, run: number, work: () => Promise<T>): Promise<T> {
  const session = await retried(
    database.name,
    () => 60_000,
    () => sessionWithLock(database, run),
  );
  let isLost = false;
  session.once('end', () => {
    isLost = true;
  });
  try {
    const result = await work();
    if (isLost)
      throw new Error(
        `${database.name} ended the session that held the manifest's lock: another process may have had it ` +
          'meanwhile; do it again',
      );
    return result;
  } finally {
    await session.end().catch(() => {});
  }
}

type Session = Awaited<ReturnType<Postgres['session']>>;

async function sessionWithLock(database: Postgres, run: number): Promise<Session> {
  const session = await database.session();
  try {
    while (!(await isLocked(session, run)));
    return session;
  } catch (error) {
    await session.end().catch(() => {});
    throw error;
  }
}

/** False if others have had it for so long that the server ended the wait. */
async function isLocked(session: Session, run: number): Promise<boolean> {
  try {
    await session.query('select pg_advisory_lock(manifest_lock($1))', [run]);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
