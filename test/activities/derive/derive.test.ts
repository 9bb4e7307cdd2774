/** A run's tables, derived in the process itself or in one of its own. */
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { derive } from '../../../activities/derive/derive.ts';
import type { EncodedTable } from '../../../activities/storage/parts/encoded-tables.ts';
import { currentParts } from '../../../analysis/run-folder.ts';
import type { Manifest, MissingTables } from '../../../schemas/manifest.ts';
import { writeHandCards } from '../../studies/cards/hand-cards.ts';

let folder = '';
let run = '';
let manifest: Manifest;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-'));
  run = await writeHandCards(folder);
  manifest = JSON.parse(await readFile(join(run, 'manifest.json'), 'utf8')) as Manifest;
});
afterEach(() => rm(folder, { recursive: true }));

async function missingFrom(many: number): Promise<readonly MissingTables[]> {
  return derive({ tables: run, folder: run }, manifest, () => {}, many);
}

async function deriveFrom(many: number): Promise<readonly EncodedTable[]> {
  const derived: EncodedTable[] = [];
  await derive({ tables: run, folder: run }, manifest, (table) => derived.push(table), many);
  return derived;
}

test('a process of its own derives the same bytes', async () => {
  const here = await deriveFrom(Infinity);
  const apart = await deriveFrom(0);
  const filled = here.flatMap(({ table, rows }) => (rows > 0 ? [table] : []));
  expect(filled).toEqual(expect.arrayContaining(['asl', 'model_costs', 'variance_parts', 'cards']));
  expect(apart.map(({ table, rows, bytes }) => [table, rows, Buffer.from(bytes).toString('base64')])).toEqual(
    here.map(({ table, rows, bytes }) => [table, rows, Buffer.from(bytes).toString('base64')]),
  );
});

// Red before: the fault of one study was the fault of all tables.
test('tables whose computation fails are listed, in both, and the others are there', async () => {
  const spec = JSON.stringify(manifest.spec).replaceAll('"maxLoops":2', '"maxLoops":1');
  await writeFile(join(run, 'manifest.json'), JSON.stringify({ ...manifest, spec: JSON.parse(spec) as object }));
  const missing = await missingFrom(Infinity);
  expect(missing[0]).toMatchObject({
    studies: ['loops', 'bare'],
    reason: 'sustained loops must be an integer from 0 to 1, got 2',
  });
  expect(await missingFrom(0)).toEqual(missing);
  const derived = (await deriveFrom(Infinity)).map(({ table }) => table);
  expect(derived).toEqual(expect.arrayContaining(['chain_scores', 'elasticity', 'model_costs', 'variance_parts']));
  expect(missing.flatMap(({ tables }) => tables).filter((table) => derived.some((one) => one === table))).toEqual([]);
});

test('a damaged file is the same fault in both', async () => {
  const part = currentParts(manifest, 'verdicts')[0];
  await truncate(join(run, part?.path ?? ''), (part?.bytes ?? 0) - 1);
  const faults = await Promise.all([Infinity, 0].map((many) => deriveFrom(many).catch((error: Error) => error)));
  const told = faults.map((fault) => (fault instanceof Error ? [fault.name, fault.message] : []));
  expect(told[1]).toEqual(told[0]);
  expect(told[1]?.[0]).toBe('CorruptionError');
});

test('a process that is killed is told by the signal', async () => {
  const derived = deriveFrom(0).catch((error: Error) => error);
  await expect.poll(childrenOf).toHaveLength(1);
  process.kill((await childrenOf())[0] as number, 'SIGKILL');
  expect(await derived).toMatchObject({ message: "the process that derives the run's tables ended (SIGKILL)" });
});

async function childrenOf(): Promise<number[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
