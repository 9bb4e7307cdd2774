/** Calls that brought no reply, by the attempts at a step before the present one. */
import type { FailedAttempt } from '../call-book.ts';
import type { Fence } from '../fence.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';

/** Reads the page's calls by their index, and no other page's. */
export const failedBefore = (db: LedgerDatabase, page: string, fence: Fence): FailedAttempt[] =>
  db
    .sql(
      `select cell, step, loop, ask, sample, failure,
         (select count(*) from asked where asked.intent = intent.id) as samples
       from intent where page = (select id from page where page = ?) and state in ('failed', 'lost')
         and unit = (select id from unit where unit = ?) and epoch = ? and attempt < ? order by id`,
    )
    .all(page, fence.unit, fence.epoch, fence.attempt)
    .map((row) => attemptOf(row as unknown as FailedRow));

type FailedRow = FailedAttempt['key'] & Omit<FailedAttempt, 'key'>;

const attemptOf = ({ samples, failure, ...key }: FailedRow): FailedAttempt => ({ key, samples, failure });
