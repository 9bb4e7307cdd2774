/** What every ledger knows of attempts that brought no reply, for the worker that takes their step over. */
import { expect, test } from 'vitest';
import { call, charge, go, keyOf, page, reply } from '../../../activities/storage/ledger/ledger-calls.ts';
import type { NewLedger } from './whole-contract.ts';

const unit = `${page}/generate/1`;
const place = (cell: number, sample = 0) => ({ cell, step: 'generate', loop: 1, ask: 0, sample });

/** @param newLedger opens one with one page */
export function attemptsContract(newLedger: NewLedger): void {
  // Red without `epoch`, `attempt`, `unit` or either state in the condition of the query.
  test('failed and lost calls of a step are known to its next attempt, under one owner', async () => {
    const ledger = await newLedger();
    const first = await ledger.openUnit(unit, await ledger.takeOver('test'));
    const failed = async (fence: typeof first, ...asked: Parameters<typeof call>): Promise<void> =>
      ledger.fail(await go(ledger, fence, call(...asked)), 'HTTP 500: \u0000 oops', charge(0.01), 5);
    const several = { key: { ...call(0).key, sample: 3 }, callKeys: [3, 4].map((sample) => keyOf(`sample ${sample}`)) };
    await failed(first, 0, several);
    await failed(first, 7);
    await failed(first, 0, several);
    await ledger.commit(await go(ledger, first, call(8)), [reply('a')], charge(0.01), 1);
    await ledger.release(await go(ledger, first, call(9)), 'no connection');
    await failed(await ledger.openUnit(`${page}/generate/2`, first.epoch), 10);
    await go(ledger, first, call(11));

    const second = await ledger.openUnit(unit, first.epoch);
    await failed(second, 0, several);
    const failure = 'HTTP 500: \u0000 oops';
    const before = [
      { key: place(0, 3), samples: 2, failure },
      { key: place(7), samples: 1, failure },
      { key: place(0, 3), samples: 2, failure },
      { key: place(11), samples: 1, failure: null },
    ];
    expect(await ledger.failedBefore(page, second)).toEqual(before);
    const third = await ledger.openUnit(unit, first.epoch);
    expect(await ledger.failedBefore(page, third)).toEqual([...before, { key: place(0, 3), samples: 2, failure }]);
    expect(await ledger.failedBefore('another page', third)).toEqual([]);

    const resumed = await ledger.takeOver('another');
    await ledger.openUnit(unit, resumed);
    expect(await ledger.failedBefore(page, await ledger.openUnit(unit, resumed))).toEqual([]);
  });

  test('a lost call whose end comes late is failed or answered to whoever reads afterwards', async () => {
    const ledger = await newLedger();
    const first = await ledger.openUnit(unit, await ledger.takeOver('test'));
    const intents = [await go(ledger, first, call(0)), await go(ledger, first, call(1))] as const;
    const second = await ledger.openUnit(unit, first.epoch);
    await ledger.fail(intents[0], 'HTTP 502: late', charge(0.01), 5);
    await ledger.commit(intents[1], [reply('late')], charge(0.01), 5);
    expect(await ledger.failedBefore(page, second)).toEqual([{ key: place(0), samples: 1, failure: 'HTTP 502: late' }]);
  });
}
