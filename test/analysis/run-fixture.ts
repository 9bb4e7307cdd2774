/** Run folders for tests: hand-made rows, written by DuckDB, listed in a manifest as a real run's are. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Manifest } from '../../schemas/manifest.ts';
import { type ColumnType, type Row, type Table, type TableName, tables } from '../../schemas/tables.ts';
import { plainLoops } from '../support/loop-settings.ts';

export interface FixturePart {
  readonly table: TableName;
  readonly page: string;
  readonly rows: readonly Row[];
  readonly revision?: number;
  /** Columns that the part lacks, as one written by an older program. */
  readonly without?: readonly string[];
}

const types: Record<ColumnType, string> = {
  string: 'VARCHAR',
  int: 'INTEGER',
  float: 'DOUBLE',
  bool: 'BOOLEAN',
  timestamp: 'BIGINT',
  intList: 'INTEGER[]',
  floatList: 'FLOAT[]',
};

/** Writes the parts and `manifest.json`; gives back the manifest. */
export async function writeRun(
  folder: string,
  parts: readonly FixturePart[],
  more: Partial<Manifest> = {},
): Promise<Manifest> {
  const listed: Manifest['parts'] = [];
  for (const part of parts) listed.push(await writePart(folder, part));
  const manifest = { ...emptyManifest, ...more, parts: listed };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return manifest;
}

async function writePart(
  folder: string,
  { table, page, rows, revision = 1, without = [] }: FixturePart,
): Promise<Manifest['parts'][number]> {
  const [number, model = 'run'] = page.split('/').reverse();
  const path = `${table}/study=loops/model=${model}/${number}.r${revision}.parquet`;
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeParquet(file, tables[table], rows, without);
  const bytes = await readFile(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, table, page, rows: rows.length, bytes: bytes.length, sha256, schemaVersion: 1, revision };
}

async function writeParquet(
  file: string,
  table: Table,
  rows: readonly Row[],
  without: readonly string[],
): Promise<void> {
  const columns = Object.entries(table.columns).filter(([name]) => !without.includes(name));
  const selected = columns.map(([name, { type }]) =>
    type === 'timestamp' ? `make_timestamptz(1000 * "${name}") AS "${name}"` : `"${name}"`,
  );
  const typed = columns.map(([name, { type }]) => `'${name}': '${types[type]}'`).join(', ');
  await writeFile(`${file}.json`, rows.map((row) => JSON.stringify(row)).join('\n'));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const quoted = file.replaceAll("'", "''");
  const source =
    `read_json('${quoted}.json', format = 'newline_delimited', hive_partitioning = false, maximum_object_size = ` +
    `100000000, columns = {${typed}})`;
  await connection.run(`COPY (SELECT ${selected.join(', ')} FROM ${source}) TO '${quoted}' (FORMAT parquet)`);
  connection.closeSync();
  await rm(`${file}.json`);
}

const sha256 = 'a'.repeat(64);

export const emptyManifest: Manifest = {
  formatVersion: 1,
  programVersion: '0.1.0',
  uuid: '7d0c1f5e-0000-4000-8000-000000000000',
  runId: 'r',
  state: 'complete',
  stateDetail: null,
  createdAt: '2026-11-20T20:00:00.000Z',
  updatedAt: '2026-11-20T20:30:00.000Z',
  finishedAt: '2026-11-20T20:30:00.000Z',
  spec: {
    name: 'r',
    seed: 7,
    providers: {},
    models: [{ id: 'org/m', provider: 'simulated', strictVersion: false, study: true }],
    benchmarks: { mbpp: { format: 'mbpp-plus', path: 'MbppPlus.jsonl.gz' } },
    studies: [
      {
        name: 'loops',
        kind: 'evaloop',
        benchmark: 'mbpp',
        repetitions: 1,
        settings: { ...plainLoops, maxLoops: 3, judge: 'judge' },
      },
    ],
    reuse: [],
  },
  specText: 'name: r\n',
  plan: [{ file: 'inputs/plan.json', sha256, revision: 1, createdAt: '2026-11-20T20:00:00.000Z', pages: 1, cells: 2 }],
  benchmarks: { mbpp: { file: 'inputs/mbpp.json', sha256, sourceSha256: sha256, tasks: 2, format: 'mbpp-plus' } },
  replays: {},
  versions: { prompts: { evaloop: 'evaloop-1' }, extractor: '1', scorer: '1', prices: '2026-11-01' },
  sandbox: { tier: 'embedded', engine: 'pyodide 314.0.7 (CPython 3.14.2)', imageDigest: 'sha256:0123456789abcdef' },
  parts: [],
};
