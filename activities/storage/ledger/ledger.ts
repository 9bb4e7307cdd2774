/**
 * The record of a run's calls, answers, verdicts and costs, from which the run resumes: the interfaces of this folder
 * together. `sqlite/` implements them on one SQLite file per run, which several processes have open at a time.
 */
import type { BatchBook } from './batch-book.ts';
import type { CallBook } from './call-book.ts';
import type { Control } from './control.ts';
import type { Counts } from './ledger-counts.ts';
import type { PageReader } from './page-reader.ts';
import type { PartBook } from './part-book.ts';
import type { Plan } from './plan.ts';
import type { Results } from './results.ts';

/**
 * Every method that touches storage returns a promise. It rejects only if nothing was stored. What one process has
 * stored is seen by every read, of any process, that begins after its promise has resolved.
 */
export interface Ledger extends CallBook, BatchBook, PageReader, Results, Plan, Control, PartBook, Counts {
  /** Ends what was asked before; nothing may be asked afterwards. */
  close(): Promise<void>;
}

/** What can be asked of a ledger that is opened for looks only. */
export type LedgerLook = Pick<
  Ledger,
  'progress' | 'latestFailures' | 'callsNow' | 'facts' | 'references' | 'pageStates' | 'runStop' | 'close'
>;
