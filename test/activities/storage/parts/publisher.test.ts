import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPublisher } from '../../../../activities/storage/parts/publisher.ts';

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
  for (let page = 0; page < 100; page += 1) publisher.soon();
  expect(published()).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(published()).toBe(1);
});

test('a page that is sealed after a publication is published by the next one', async () => {
  const { publisher, published } = counted();
  publisher.soon();
  await vi.advanceTimersByTimeAsync(1_000);
  publisher.soon();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(published()).toBe(2);
});

test('pending pages are published when the worker stops; without any, nothing is published', async () => {
  const { publisher, published } = counted();
  await publisher.flush();
  expect(published()).toBe(0);
  publisher.soon();
  await publisher.flush();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(published()).toBe(1);
});

test('a publication of a second makes the next one wait twenty', async () => {
  const { publisher, published } = counted(1_000);
  publisher.soon();
  await vi.advanceTimersByTimeAsync(1_000);
  publisher.soon();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(published()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(published()).toBe(2);
});

test('a publication that fails in the background is left to the end of the sweep', async () => {
  const publisher = createPublisher(async () => {
    throw new Error('no space left');
  });
  publisher.soon();
  await vi.advanceTimersByTimeAsync(1_000);
  publisher.soon();
  await expect(publisher.flush()).rejects.toThrow('no space left');
});
