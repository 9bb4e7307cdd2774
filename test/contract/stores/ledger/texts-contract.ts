/** What every ledger keeps of texts that endpoints and errors chose, whatever is in them. */
import { expect, test } from 'vitest';
import { call, charge, go, page, reply } from '../../../activities/storage/ledger/ledger-calls.ts';
import { verdict } from '../../../activities/storage/ledger/ledger-calls.ts';
import type { NewLedger } from './whole-contract.ts';

const odd = 'a\0b\ud800 \\u0000 {"c": "\u0000"} ünï 🎈 \ufdd0 \ufdd00 \ufffe \x01\x7f';
/** As UTF-8 holds it. */
const held = odd.toWellFormed();

export function textsContract(newLedger: NewLedger): void {
  test('an answer is restored exactly, and what is told of its call as UTF-8 holds it, with NUL', async () => {
    const ledger = await newLedger();
    const fence = await ledger.openUnit('step', await ledger.takeOver('test'));
    const answer = { ...reply(odd), returnedModel: odd, fingerprint: odd };
    const [stored] = await ledger.commit(await go(ledger, fence, call(0)), [answer], charge(0.01), 1);
    expect(stored?.reply).toEqual(answer);
    expect((await ledger.samples(page))[0]?.reply).toEqual(answer);
    expect((await ledger.load(page)).sample(call(0).key)?.reply).toEqual(answer);
    expect((await ledger.reply(call(0).callKeys[0] ?? ''))?.reply).toEqual(answer);
    expect((await ledger.records(page)).calls).toMatchObject([{ returnedModel: held, fingerprint: held }]);
  });

  test('failures, stops and reasons of pages may have any text, and any length', async () => {
    const ledger = await newLedger();
    const fence = await ledger.openUnit('step', await ledger.takeOver('test'));
    await ledger.fail(await go(ledger, fence, call(0)), odd, charge(0, 0), 1);
    const long = Array.from({ length: 5_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
      '',
    );
    await ledger.fail(await go(ledger, fence, call(1)), `${long}: why`, charge(0, 0), 1);
    await ledger.release(await go(ledger, fence, call(2)), odd);
    await ledger.setStop('m', 'model_stopped', odd);
    await ledger.failPage(page, odd);
    const [reason = ''] = held.split(':');
    expect(await ledger.progress()).toMatchObject({
      failuresByReason: { [reason]: 1, [long]: 1 },
      unsentByReason: { [held]: 1 },
      stopped: [{ detail: held }],
      failedPages: [{ page, reason: held }],
    });
    expect((await ledger.latestFailures(2)).map((one) => one.reason)).toEqual([`${long}: why`, held]);
    expect((await ledger.stopOf('m'))?.detail).toBe(held);
  });

  test('verdicts, references and facts are restored exactly', async () => {
    const ledger = await newLedger();
    const executionKey = call(0).callKeys[0] ?? '';
    await ledger.saveVerdict({ ...verdict(odd), executionKey, limits: JSON.stringify(odd) });
    expect(await ledger.verdict(executionKey)).toEqual({ ...verdict(odd), executionKey, limits: JSON.stringify(odd) });
    const reference = {
      key: executionKey,
      outcome: 'pass',
      firstFailingCase: null,
      outputs: [odd],
      caseMs: [1],
    } as const;
    await ledger.saveReference(reference);
    expect(await ledger.reference(executionKey)).toEqual(reference);
    await ledger.saveFact('odd', JSON.stringify({ odd }));
    expect(await ledger.fact('odd')).toBe(JSON.stringify({ odd }));
  });

  test('results of one moment are each stored once, and the first of equal ones counts', async () => {
    const ledger = await newLedger();
    const keys = Array.from({ length: 600 }, (_, at) => call(at).callKeys[0] ?? '');
    const saved = await Promise.all(
      keys.flatMap((executionKey) =>
        ['first', 'second'].map((detail) => ledger.saveVerdict({ ...verdict(detail), executionKey })),
      ),
    );
    expect(new Set(saved.map(({ detail }) => detail))).toEqual(new Set(['first']));
    expect((await ledger.verdicts(keys)).size).toBe(600);
    expect((await ledger.progress()).verdicts).toBe(600);
    const facts = await Promise.all(['1', '2', '3'].map((json) => ledger.saveFact('same', json)));
    expect(facts).toEqual(['1', '1', '1']);
  });
}
