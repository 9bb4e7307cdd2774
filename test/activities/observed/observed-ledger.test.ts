/** What a ledger tells: every way in which it registers files, and each stop once. */
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../activities/observed/events.ts';
import { observedLedger } from '../../../activities/observed/observed-ledger.ts';
import type { PartRecord } from '../../../activities/storage/ledger/records.ts';
import { newLedger } from '../storage/ledger/ledger-fixture.ts';

const part = (path: string, rows: number): PartRecord => ({
  ...{ path, table: 'verdicts', page: 'run', rows, bytes: 10 * rows, sha256: 'a'.repeat(64) },
  ...{ schemaVersion: 1, revision: 1 },
});

// Red when `exchangeParts` is the ledger's own.
test('replaced and merged files are told with their rows and bytes', async () => {
  const told: RunEvent[] = [];
  const ledger = observedLedger(await newLedger(), 'r', (event) => told.push(event));
  await ledger.replaceParts(0, [part('a.parquet', 2), part('b.parquet', 3)]);
  await ledger.exchangeParts(0, [part('a.parquet', 2), part('b.parquet', 3)], [part('ab.parquet', 5)]);
  expect(told).toEqual([
    { kind: 'parts', run: 'r', page: null, parts: 2, rows: 5, bytes: 50 },
    { kind: 'parts', run: 'r', page: null, parts: 1, rows: 5, bytes: 50 },
  ]);
  await ledger.close();
});

// Red before: told for each call of the model that was in flight when its endpoint refused it.
test('a stop is told once, however many calls find it, and again after it was lifted', async () => {
  const told: RunEvent[] = [];
  const ledger = observedLedger(await newLedger(), 'r', (event) => told.push(event));
  const stop = (model: string | null) => ledger.setStop(model, 'model_stopped', 'HTTP 404');
  await Promise.all([stop('a'), stop('a'), stop('b')]);
  await stop('a');
  expect(told.map((event) => event.kind === 'stop' && event.model)).toEqual(['a', 'b']);
  expect(await ledger.stopOf('a')).toMatchObject({ reason: 'model_stopped' });
  await ledger.setStop('a', null, 'resumed');
  await stop('a');
  expect(told).toHaveLength(3);
  await ledger.setStop(null, 'paused', 'paused by the user');
  await ledger.setStop(null, 'paused', 'paused by the user');
  expect(told).toHaveLength(4);
  await ledger.close();
});
