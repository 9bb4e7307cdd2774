/** Parts are merged in the process itself or in one of its own. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { MergeOrder } from '../../../activities/compact/merging/merge-order.ts';
import { type Merging, openMerging } from '../../../activities/compact/merging/open-merging.ts';
import type { PartFile } from '../../../activities/compact/part-bytes.ts';
import { encodeTable } from '../../../activities/storage/parts/parquet.ts';
import { sha256 } from '../../../domain/ids.ts';
import type { Table } from '../../../schemas/tables.ts';
import { newFolder } from '../storage/ledger/ledger-fixture.ts';

const table: Table = {
  name: 'example',
  meaning: 'An example.',
  schemaVersion: 1,
  key: ['id'],
  columns: { id: { type: 'int', meaning: 'Key.' } },
};
const other: Table = { ...table, columns: { ...table.columns, word: { type: 'string', meaning: 'A word.' } } };

async function written(name: string, bytes: Uint8Array): Promise<PartFile> {
  const file = join(newFolder(), name);
  await writeFile(file, bytes);
  return { runId: 'a-run', file, sha256: sha256(bytes) };
}

const partOf = (first: number): Promise<PartFile> =>
  written(`${first}.parquet`, encodeTable(table, [{ id: first }, { id: first + 1 }]));

async function orderOf(...files: readonly Promise<PartFile>[]): Promise<MergeOrder> {
  return { table, files: await Promise.all(files) };
}

let merging: Merging | null = null;
afterEach(() => merging?.end());

test('a process of its own merges one order after the other into the same bytes', async () => {
  merging = openMerging(0);
  const here = openMerging(Infinity);
  for (const order of [await orderOf(partOf(1), partOf(3)), await orderOf(partOf(5), partOf(7), partOf(9))]) {
    const apart = (await merging.merge(order, 0)) as Uint8Array;
    expect(Buffer.from(apart).equals((await here.merge(order, 0)) as Uint8Array)).toBe(true);
  }
  expect(await childrenOf()).toHaveLength(1);
  merging.end();
  await expect.poll(childrenOf).toHaveLength(0);
});

test.each([0, Infinity])(
  'files with other columns are not merged, a damaged one is named (from %d bytes)',
  async (many) => {
    merging = openMerging(many);
    const wider = written('wider.parquet', encodeTable(other, [{ id: 1, word: 'a' }]));
    expect(await merging.merge(await orderOf(partOf(1), wider), 0)).toBe(null);
    const damaged = { ...(await partOf(1)), sha256: sha256('else') };
    const fault = merging.merge({ table, files: [damaged] }, 0);
    await expect(fault).rejects.toMatchObject({
      name: 'CorruptionError',
      message:
        `${damaged.file}: its SHA-256 is not ${damaged.sha256}; run \`evenkeel verify a-run --repair\` to rebuild ` +
        'it from the ledger',
    });
  },
);

test('a process that is killed is told, during an order and before the next one', async () => {
  merging = openMerging(0);
  const order = await orderOf(partOf(1), partOf(3));
  const merged = merging.merge(order, 0).catch((error: Error) => error);
  await expect.poll(childrenOf).toHaveLength(1);
  process.kill((await childrenOf())[0] as number, 'SIGKILL');
  const ended = { message: 'the process that merges parts ended (SIGKILL)' };
  expect(await merged).toMatchObject(ended);
  await expect(merging.merge(order, 0)).rejects.toMatchObject(ended);
});

async function childrenOf(): Promise<number[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
