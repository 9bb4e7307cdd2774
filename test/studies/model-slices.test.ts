/** Derived tables of studies hold the rows of some models at a time, and are the same as from all rows together. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { writeLargeRun } from '../../bench/report/large-run.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { chainTables } from '../../studies/chain/results/tables.ts';
import { estimatedAsl } from '../../studies/evaloop/results/asl-table.ts';
import { loopSurvivals } from '../../studies/evaloop/results/survival/loop-survival.ts';
import { specificityTables } from '../../studies/specificity/results/tables.ts';

type Derive = (database: RunDatabase, manifest: Manifest, atATime?: number) => Promise<unknown>;

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

const derivations: readonly (readonly [SpecStudy['kind'], Derive])[] = [
  [
    'evaloop',
    async (database, manifest, atATime) => ({
      asl: await estimatedAsl(database, manifest, atATime),
      survival: await loopSurvivals(database, manifest, atATime),
    }),
  ],
  ['evaloop-translation', chainTables],
  ['specificity', specificityTables],
];

test.each(derivations)('%s', { timeout: 60_000 }, async (kind, derive) => {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-slices-'));
  folders.push(folder);
  await writeLargeRun(folder, { kind, models: 3, tasks: 3 });
  const database = await openRun(folder);
  const [manifest] = database.manifests as [Manifest];
  const together = await derive(database, manifest);
  const most: number[] = [];
  const watched: RunDatabase = {
    ...database,
    query: async (sql, limit) => {
      const result = await database.query(sql, limit);
      most.push(modelsOf(result));
      return result;
    },
  };
  expect(await derive(watched, manifest, 1)).toEqual(together);
  expect(Math.max(...most)).toBe(1);
  database.close();
});

/** How many models have rows of cells in what JavaScript gets; costs are one row for each task. */
function modelsOf({ columns, rows }: Awaited<ReturnType<RunDatabase['query']>>): number {
  const place = (name: string): number => columns.findIndex((column) => column.name === name);
  if (place('model') < 0 || place('task_id') < 0 || place('usd') >= 0) return 0;
  return new Set(rows.map((row) => (row as readonly unknown[])[place('model')])).size;
}
