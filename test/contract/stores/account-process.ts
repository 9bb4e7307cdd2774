/**
 * A process that makes calls on an account, for the tests of what processes share. Arguments: the store's address,
 * log, calls, concurrency, requests per minute.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { openAddress } from './account-address.ts';

const [address = '', log = '', calls, concurrency, requestsPerMinute] = process.argv.slice(2);
const accounts = createAccounts(openAddress(address));
const account = accounts.open(
  { endpoint: 'http://one.example/v1', keyVariable: 'KEY' },
  {
    concurrency: Number(concurrency),
    requestsPerMinute: requestsPerMinute === undefined ? undefined : Number(requestsPerMinute),
  },
  8,
);

async function call(): Promise<'busy' | 'unasked'> {
  appendFileSync(log, `+ ${Date.now()}\n`);
  await pause(5 + Math.random() * 20);
  appendFileSync(log, `- ${Date.now()}\n`);
  // `busy` would give the request back.
  throw new Error('sent');
}

const ends = await Promise.allSettled(
  Array.from({ length: Number(calls) }, () =>
    account.use(
      call,
      () => ({ input: 1, output: 0 }),
      () => false,
    ),
  ),
);
await accounts.close();
const odd = ends.find((end) => end.status === 'rejected' && (end.reason as Error).message !== 'sent');
if (odd?.status === 'rejected') throw odd.reason;
