import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PartRecord } from '../../../../activities/storage/ledger/records.ts';
import { createPublisher, type PartsChange } from '../../../../activities/storage/parts/publisher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A publisher whose publishing takes `tookMs`, and how often it has published. */
function counted(tookMs = 0) {
  let published = 0;
  const publisher = createPublisher(async () => {
    published += 1;
    vi.setSystemTime(Date.now() + tookMs);
    await vi.advanceTimersByTimeAsync(tookMs);
  });
  return { publisher, published: () => published };
}

test('a hundred pages that are sealed within a second are published once', async () => {
  const { publisher, published } = counted();
  for (let page = 0; page < 100; page += 1) publisher.soon('all');
  expect(published()).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(published()).toBe(1);
});

test('a page that is sealed after a publication is published by the next one', async () => {
  const { publisher, published } = counted();
  publisher.soon('all');
  await vi.advanceTimersByTimeAsync(1_000);
  publisher.soon('all');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(published()).toBe(2);
});

test('pending pages are published when the worker stops; without any, nothing is published', async () => {
  const { publisher, published } = counted();
  await publisher.flush();
  expect(published()).toBe(0);
  publisher.soon('all');
  await publisher.flush();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(published()).toBe(1);
});

test('a publication of a second makes the next one wait twenty', async () => {
  const { publisher, published } = counted(1_000);
  publisher.soon('all');
  await vi.advanceTimersByTimeAsync(1_000);
  publisher.soon('all');
  await vi.advanceTimersByTimeAsync(19_000);
  expect(published()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(published()).toBe(2);
});

test('a publication that fails in the background is left to the end of the sweep', async () => {
  const publisher = createPublisher(async () => {
    throw new Error('no space left');
  });
  publisher.soon('all');
  await vi.advanceTimersByTimeAsync(1_000);
  publisher.soon('all');
  await expect(publisher.flush()).rejects.toThrow('no space left');
});

const part = (path: string): PartRecord => ({
  ...{ path, table: 'loops', page: path, rows: 1, bytes: 1, sha256: path, schemaVersion: 1, revision: 1 },
});
const change = (added: readonly string[], removed: readonly string[] = []): PartsChange => ({
  added: added.map(part),
  removed,
});

/** What each publication was told, with a publisher that fails while told to. */
function told() {
  const changes: (PartsChange | 'all')[] = [];
  const state = { isFull: false };
  const publisher = createPublisher(async (one) => {
    changes.push(one);
    if (state.isFull) throw new Error('no space left');
  });
  const after = async (...some: readonly (PartsChange | 'all')[]): Promise<PartsChange | 'all' | undefined> => {
    for (const one of some) publisher.soon(one);
    await vi.advanceTimersByTimeAsync(1_000);
    return changes.at(-1);
  };
  return { after, state, changes };
}

test('the first publication lists all parts, and later ones what changed since', async () => {
  const { after } = told();
  expect(await after(change(['a']))).toBe('all');
  expect(await after(change(['b']), change(['c'], ['a']))).toEqual(change(['b', 'c'], ['a']));
  // Added and replaced again, and replaced and back with the same bytes, before anything was published.
  expect(await after(change(['d']), change(['e'], ['d']))).toEqual(change(['e'], ['d']));
  expect(await after(change(['f'], ['e']), change(['e']))).toEqual(change(['f', 'e']));
  expect(await after(change(['g']), 'all', change(['h']))).toBe('all');
});

test('after a publication that failed, the next one lists all parts', async () => {
  const { after, state } = told();
  await after('all');
  state.isFull = true;
  expect(await after(change(['a']))).toEqual(change(['a']));
  state.isFull = false;
  expect(await after(change(['b']))).toBe('all');
  expect(await after(change(['c']))).toEqual(change(['c']));
});
