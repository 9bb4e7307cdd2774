/** What the state of a run that its budget stopped says of calls that did not fit, and of calls that cost too much. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noRoomText, noteNoRoom } from '../../../activities/calls/no-room.ts';
import { noteOverrun, overrunTexts } from '../../../activities/calls/overruns.ts';
import type { Ledger } from '../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { call, charge, go, newFolder, page, reply } from '../storage/ledger/ledger-fixture.ts';

const specWith = (budget: string) =>
  parseSpec(
    `name: r
models: [{ id: m, provider: simulated }, { id: dear, provider: simulated }]
benchmarks: { b: { format: evenkeel, path: x } }
studies: [{ name: plain, kind: pass, benchmark: b }]
budget: ${budget}
`,
    'spec.yaml',
  );
const spec = specWith('{ usd: 7 }');

let ledger: Ledger;
let epoch: number;
beforeEach(async () => {
  ledger = openLedger(join(newFolder(), 'ledger.sqlite'));
  epoch = await ledger.takeOver('test');
});
afterEach(() => ledger.close());

const asked = (answeringModel: string, maxUsd: number, maxTokens = 900) => ({
  ...call(0),
  ...{ answeringModel, maxUsd, maxTokens },
});

test('the cheapest call that did not fit is named, in the budget’s units', async () => {
  expect(await noRoomText(ledger, epoch, spec)).toBeNull();
  await noteNoRoom(ledger, epoch, asked('dear', 11.4, 1_500));
  await noteNoRoom(ledger, epoch, asked('m', 8.25, 1_200));
  expect(await noRoomText(ledger, epoch, spec)).toMatch(
    /fits into the budget: here \$8.25 at least, with \$0.00 of \$7.00 spent$/,
  );
  expect(await noRoomText(ledger, epoch + 1, spec)).toBeNull();
});

// Red before: of tokens nothing was said to be spent, and dollars came first, of which enough were left.
test('of each limit is said what is spent, that which binds first', async () => {
  await ledger.addPages([{ page, study: 'plain', model: 'm', cells: 1, revision: 1 }]);
  const fence = await ledger.openUnit(`${page}/generate/0`, epoch);
  await ledger.commit(await go(ledger, fence, call(0)), [reply('x')], charge(2, 650), 1);
  await noteNoRoom(ledger, epoch, asked('m', 1.25, 1_200));
  const text = async (budget: string) => (await noRoomText(ledger, epoch, specWith(budget)))?.split(': here ')[1];
  const tokens = '1,200 tokens at least, with 650 of 1,000 spent';
  const dollars = '$1.25 at least, with $2.00 of $7.00 spent';
  expect(await text('{ tokens: 1000 }')).toBe(tokens);
  expect(await text('{ usd: 7, tokens: 1000 }')).toBe(`${tokens}; there are enough dollars (${dollars})`);
  expect(await text('{ usd: 3, tokens: 1000 }')).toBe(`${dollars.replace('7.00', '3.00')}; ${tokens}`);
  expect(await text('{ usd: 7, tokens: 9000 }')).toBe(`${dollars}; ${tokens.replace('1,000', '9,000')}`);
});

test('a call that cost more than its request allows is named once, with both amounts', async () => {
  await noteOverrun(ledger, asked('m', 11.4), { ...charge(0), usd: 11.4 });
  expect(await overrunTexts(ledger, spec)).toEqual([]);
  await noteOverrun(ledger, asked('m', 11.4), { ...charge(0), usd: 30.1 });
  await noteOverrun(ledger, asked('m', 11.4), { ...charge(0), usd: 40 });
  expect(await overrunTexts(ledger, spec)).toEqual([
    expect.stringMatching(/^a call of m cost \$30.10, and its request allows \$11.40: the endpoint counts more tokens/),
  ]);
});
