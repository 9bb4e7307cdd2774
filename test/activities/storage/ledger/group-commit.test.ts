import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGroupCommit } from '../../../../activities/storage/ledger/sqlite/group-commit.ts';
import type { Totals } from '../../../../activities/storage/ledger/sqlite/totals.ts';

/** Group commit over a disk that is done when the test says so; `sizes` counts the requests of each transaction. */
function onDisk() {
  const sizes: number[] = [];
  const disk: { done: () => void; fail: (error: Error) => void }[] = [];
  let inThisOne = 0;
  const transact = <T>(work: (totals: Totals) => T): T => {
    inThisOne = 0;
    const result = work({} as Totals);
    sizes.push(inThisOne);
    return result;
  };
  const sync = () => new Promise<void>((done, fail) => void disk.push({ done, fail }));
  const { request, flush } = createGroupCommit({ immediate: transact, unsynced: transact, sync }, { held: undefined });
  const settled: string[] = [];
  const ask = (name: string, work = () => {}): void => {
    const asked = request(() => {
      inThisOne += 1;
      work();
    });
    asked.then(
      () => settled.push(name),
      (error: unknown) => settled.push(`${name}: ${String(error)}`),
    );
  };
  return { ask, flush, sizes, settled, disk };
}

test('requests of one turn share a transaction, and none resolves before the disk has it', async () => {
  const { ask, sizes, settled, disk } = onDisk();
  for (const name of ['a', 'b', 'c']) ask(name);
  expect(sizes).toEqual([]);
  await turn();
  await turn();
  expect({ sizes, settled }).toEqual({ sizes: [3], settled: [] });
  disk[0]?.done();
  await turn();
  expect(settled).toEqual(['a', 'b', 'c']);
});

test('requests that come while the disk is busy share the next transaction', async () => {
  const { ask, sizes, settled, disk } = onDisk();
  ask('first');
  await turn();
  for (const name of ['a', 'b', 'c', 'd']) {
    ask(name);
    await turn();
  }
  expect(sizes).toEqual([1]);
  disk[0]?.done();
  await turn();
  await turn();
  expect({ sizes, settled }).toEqual({ sizes: [1, 4], settled: ['first'] });
});

test('when the disk fails, every request of the group is rejected, and later ones go through', async () => {
  const { ask, settled, disk } = onDisk();
  ask('a');
  ask('b');
  await turn();
  ask('c');
  disk[0]?.fail(new Error('no space'));
  await turn();
  await turn();
  disk[1]?.done();
  await turn();
  expect(settled).toEqual(['a: Error: no space', 'b: Error: no space', 'c']);
});

test('a request that throws is rejected alone, and the others are committed', async () => {
  const { ask, sizes, settled, disk } = onDisk();
  ask('a');
  ask('guilty', () => {
    throw new Error('fenced');
  });
  ask('b');
  await turn();
  disk[0]?.done();
  await turn();
  expect(settled).toEqual(['a', 'guilty: Error: fenced', 'b']);
  expect(sizes).toEqual([1, 1]);
});

test('a thousand requests of one turn are split into transactions of at most 256', async () => {
  const { ask, sizes, disk } = onDisk();
  for (let count = 0; count < 1000; count += 1) ask(String(count));
  for (let group = 0; group < 4; group += 1) {
    await turn();
    await turn();
    disk[group]?.done();
  }
  expect(sizes).toEqual([256, 256, 256, 232]);
});

test('a flush runs the waiting requests without waiting for the disk', async () => {
  const { ask, flush, sizes, settled } = onDisk();
  ask('a');
  ask('b');
  await flush();
  await Promise.resolve();
  await Promise.resolve();
  expect({ sizes, settled }).toEqual({ sizes: [2], settled: ['a', 'b'] });
});
