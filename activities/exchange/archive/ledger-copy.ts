/** Copies a ledger as it is at one moment, without what only concerns the machine. */
import { DatabaseSync } from 'node:sqlite';
import { readingAddress } from '../../storage/ledger/sqlite/ledger-database.ts';

/** Also of a ledger whose log still has answers. The copy has no log, and no owner's name. */
export function copyLedger(from: string, to: string): void {
  const source = new DatabaseSync(readingAddress(from), { readOnly: true, timeout: 10_000 });
  try {
    // Takes only what is stored: pages that were freed may still hold older texts.
    source.prepare('vacuum into ?').run(to);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    // Kept in the file's header; a ledger in another mode is refused.
    copy.exec('pragma journal_mode = wal');
    copy.exec('update run set owner = null');
    copy.exec('pragma wal_checkpoint(truncate)');
  } finally {
    copy.close();
  }
}
