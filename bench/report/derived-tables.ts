/** Adds what a run computes at its end to the folder of a large run. */
import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encodeTable } from '../../activities/storage/parts/parquet.ts';
import { openRun } from '../../analysis/database.ts';
import { modelCosts } from '../../analysis/model-costs.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { type Row, type TableName, tables } from '../../schemas/tables.ts';
import { cardTables } from '../../studies/cards.ts';
import { resultsOfKind } from '../../studies/results.ts';
import { varianceParts } from '../../studies/variance-parts.ts';

/** @returns the number of parts of the whole run */
export async function addDerivedTables(folder: string, manifest: Manifest, kind: SpecStudy['kind']): Promise<number> {
  const database = await openRun(folder);
  try {
    const derived: Partial<Record<TableName, readonly Row[]>> = {
      ...(await resultsOfKind(kind).derive(database, manifest)),
      model_costs: await modelCosts(database),
      variance_parts: await varianceParts(database),
      ...(await cardTables(database)),
    };
    const parts = [...manifest.parts];
    for (const [table, rows] of Object.entries(derived)) parts.push(await writePart(folder, table as TableName, rows));
    const state = { state: 'complete', finishedAt: manifest.updatedAt } as const;
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, ...state, parts }));
    return parts.length;
  } finally {
    database.close();
  }
}

async function writePart(folder: string, table: TableName, rows: readonly Row[]): Promise<Manifest['parts'][number]> {
  const path = `${table}/run.r1.parquet`;
  const bytes = encodeTable(tables[table], rows);
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), bytes);
  return {
    ...{ path, table, page: 'run', rows: rows.length, bytes: bytes.length, sha256: hash('sha256', bytes) },
    ...{ schemaVersion: tables[table].schemaVersion, revision: 1 },
  };
}
