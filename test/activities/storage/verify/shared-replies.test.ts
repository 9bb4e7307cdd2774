/** Replies that pages share: each is read wherever it is, and counted once. */
import { expect, test } from 'vitest';
import { readReplies } from '../../../../activities/storage/verify/read-replies.ts';
import { call, charge, go, newLedger, page, reply } from '../ledger/ledger-fixture.ts';

// Red before: 3, since the reply that both models' pages have was counted for each.
test('a reply that two pages share is counted once', async () => {
  const ledger = await newLedger();
  const other = 'loops/n-1a2b3c/r1p0';
  await ledger.addPages([{ page: other, study: 'loops', model: 'n', cells: 10, revision: 1 }]);
  const epoch = await ledger.takeOver('a test');
  const own = await ledger.openUnit(`${page}/step`, epoch);
  for (const cell of [0, 1]) await ledger.commit(await go(ledger, own, call(cell)), [reply('a')], charge(0.01), 1);
  const fence = await ledger.openUnit(`${other}/step`, epoch);
  const shared = { ...call(0), key: { ...call(0).key, page: other }, model: 'n' };
  expect(await ledger.reserve(fence, shared)).toMatchObject({ kind: 'answered' });
  expect(await readReplies(ledger, [page, other])).toEqual({ count: 2, problems: [] });
  await ledger.close();
});
