import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { createVersionWatch, mixedModels } from '../../../activities/calls/versions.ts';
import type { ChatReply } from '../../../schemas/chat.ts';

let folder: string;
let ledger: Ledger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'versions-'));
  ledger = openLedger(join(folder, 'ledger.sqlite'));
});
afterEach(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true });
});

const reply = (returnedModel: string | null, fingerprint: string | null = null): ChatReply => ({
  ...{ text: 'x', finishReason: 'stop', returnedModel, fingerprint, logprobs: null },
  ...{ inputTokens: 1, cachedTokens: null, outputTokens: 1, reasoningTokens: null },
});

test('the first version is not a change; another name is, each time it answers; the first again is not', async () => {
  const see = createVersionWatch(ledger);
  expect(await see('m', reply('m-old'))).toBeNull();
  expect(await mixedModels(ledger)).toEqual([]);
  const change = { field: 'returnedModel', first: 'm-old', now: 'm-new' };
  expect(await see('m', reply('m-new'))).toEqual(change);
  expect(await see('m', reply('m-new'))).toEqual(change);
  expect(await see('m', reply('m-old'))).toBeNull();
  expect(await mixedModels(ledger)).toEqual([{ model: 'm', versions: ['m-new', 'm-old'] }]);
});

test('a changed fingerprint is a change; a missing one is not', async () => {
  const see = createVersionWatch(ledger);
  await see('m', reply('m', 'fp_1'));
  expect(await see('m', reply('m', null))).toBeNull();
  expect(await see('m', reply(null, 'fp_1'))).toBeNull();
  expect(await see('m', reply('m', 'fp_2'))).toEqual({ field: 'fingerprint', first: 'fp_1', now: 'fp_2' });
  expect(await mixedModels(ledger)).toEqual([{ model: 'm', versions: ['fp_1', 'fp_2'] }]);
});

test('another backend behind a gateway is a change; a gateway that does not name one is not', async () => {
  const see = createVersionWatch(ledger);
  await see('m', { ...reply('m'), backend: 'DeepInfra' });
  expect(await see('m', reply('m'))).toBeNull();
  const change = { field: 'backend', first: 'DeepInfra', now: 'Together' };
  expect(await see('m', { ...reply('m'), backend: 'Together' })).toEqual(change);
  expect(await mixedModels(ledger)).toEqual([{ model: 'm', versions: ['backend DeepInfra', 'backend Together'] }]);
});

test('models are tracked separately, also those with slashes in their ids', async () => {
  const see = createVersionWatch(ledger);
  await see('a/b', reply('x'));
  expect(await see('a', reply('y'))).toBeNull();
  expect(await mixedModels(ledger)).toEqual([]);
});

test('the first version seen by any process counts, also for processes that start later', async () => {
  const [one, other] = [createVersionWatch(ledger), createVersionWatch(ledger)];
  const seen = await Promise.all([one('m', reply('m-1')), other('m', reply('m-2'))]);
  expect(seen.filter((change) => change !== null)).toHaveLength(1);
  const first = seen[0] === null ? 'm-1' : 'm-2';
  expect(await createVersionWatch(ledger)('m', reply('m-3'))).toEqual({ field: 'returnedModel', first, now: 'm-3' });
  expect(await mixedModels(ledger)).toEqual([{ model: 'm', versions: ['m-1', 'm-2', 'm-3'] }]);
});
