import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { clearHeap, limitGarbage } from '../../../analysis/rows/heap-garbage.ts';

/** 200 MB that nothing refers to afterwards. */
function litter(): void {
  let held: number[][] = [];
  for (let part = 0; part < 250; part += 1) held.push(Array.from({ length: 100_000 }, (_, place) => place + 0.5));
  held = [];
}

test.each([limitGarbage, clearHeap])('a heap full of garbage is emptied before a query', (free) => {
  clearHeap();
  const before = getHeapStatistics().used_heap_size;
  litter();
  free();
  expect(getHeapStatistics().used_heap_size - before).toBeLessThan(100e6);
});
