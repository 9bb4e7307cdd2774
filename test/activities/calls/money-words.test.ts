/** What the state of a run that its budget stopped says of calls that did not fit, and of calls that cost too much. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noRoomText, noteNoRoom } from '../../../activities/calls/no-room.ts';
import { noteOverrun, overrunTexts } from '../../../activities/calls/overruns.ts';
import type { Ledger } from '../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { call, charge, newFolder } from '../storage/ledger/ledger-fixture.ts';

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
    /fits into the budget: here \$8.25 at least; \$0.00 of \$7.00 is spent$/,
  );
  expect(await noRoomText(ledger, epoch, specWith('{ tokens: 100 }'))).toMatch(/: here 1,200 tokens at least$/);
  expect(await noRoomText(ledger, epoch + 1, spec)).toBeNull();
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
