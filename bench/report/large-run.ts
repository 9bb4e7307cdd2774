/** A finished run of many models and tasks in one kind of study, as the program stores it: for measuring the report. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { TableName } from '../../schemas/tables.ts';
import { addDerivedTables } from './derived-tables.ts';
import { largeKind, type LargeKind } from './kinds.ts';
import { type PartWriter, writeParts } from './part-writer.ts';
import { promptsSql } from './prompts-sql.ts';
import { answersSql, cellsSql, commonTables, judgedSql, runTables, tasksSql, unitMacro } from './run-sql.ts';

export interface LargeRun {
  readonly kind: SpecStudy['kind'];
  readonly models: number;
  readonly tasks: number;
  /** As many answers to each prompt as the kind usually asks. Default: once. */
  readonly times?: number;
}

export interface WrittenRun {
  readonly answers: number;
  /** Parquet files. */
  readonly parts: number;
}

const sizes = [1.5, 7, 14, 34, 70] as const;

export const modelName = (place: number): string =>
  `org-${place % 9}/coder-${String(place).padStart(2, '0')}-${sizes[place % sizes.length]}b-instruct`;

/** Writes the run's tables and manifest to a new folder. */
export async function writeLargeRun(
  folder: string,
  { kind, models: count, tasks, times = 1 }: LargeRun,
): Promise<WrittenRun> {
  const models = Array.from({ length: count }, (_, place) => modelName(place));
  const large = largeKind(kind, times);
  const specText = specOf(kind, large, models);
  const spec = parseSpec(specText, 'large.yaml');
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:');
  const writer: PartWriter = { connection: await instance.connect(), folder, parts: [] };
  const [study] = spec.studies as [SpecStudy];
  for (const sql of [unitMacro, tasksSql(tasks), promptsSql(study)]) await writer.connection.run(sql);
  await writeTables(writer, runTables(study, models, large), null);
  for (const [place, model] of models.entries()) await writeModel(writer, large, model, place);
  const cells = (await writer.connection.runAndReadAll('SELECT count(*)::INT FROM cells')).getRows()[0]?.[0];
  writer.connection.closeSync();
  instance.closeSync();
  const samples = writer.parts.filter(({ table }) => table === 'samples');
  const manifest: Manifest = {
    ...{ ...emptyManifest, spec, specText, parts: writer.parts },
    plan: [
      { ...plan, pages: samples.flatMap(({ pages = {} }) => Object.keys(pages)).length, cells: count * Number(cells) },
    ],
    benchmarks: { mbpp: { file: 'inputs/mbpp.json', sha256, sourceSha256: sha256, tasks, format: 'mbpp-plus' } },
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const parts = await addDerivedTables(folder, manifest, kind);
  return { answers: samples.reduce((sum, { rows }) => sum + rows, 0), parts };
}

async function writeModel(writer: PartWriter, large: LargeKind, model: string, place: number): Promise<void> {
  for (const sql of [cellsSql(model, place), answersSql(large), judgedSql]) await writer.connection.run(sql);
  await writeTables(writer, { ...commonTables(large), ...large.tables }, model);
}

async function writeTables(
  writer: PartWriter,
  selects: Partial<Record<TableName, string>>,
  model: string | null,
): Promise<void> {
  for (const [table, sql] of Object.entries(selects)) await writeParts(writer, table as TableName, sql, model);
}

const modelLine = (id: string, place: number): string =>
  `  - { id: "${id}", provider: oai, family: Org ${place % 9}, sizeB: ${sizes[place % sizes.length]} }`;

const specOf = (kind: SpecStudy['kind'], large: LargeKind, models: readonly string[]): string => `
name: large
seed: 7
providers: { oai: { kind: openai, baseUrl: "https://api.example.com/v1" } }
models:
${models.map(modelLine).join('\n')}
benchmarks:
  mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz }
${['php', 'rb', 'js', 'pl', 'py'].map((name) => `  ${name}: { format: mxeval, path: mb_${name}.jsonl }`).join('\n')}
studies:
  - { name: study, kind: ${kind}, benchmark: mbpp, ${large.spec(models, large.samples)} }
`;

const sha256 = 'a'.repeat(64);
const createdAt = '2026-11-20T20:00:00.000Z';
const plan = { file: 'inputs/plan.json', sha256, revision: 1, createdAt } as const;

const emptyManifest: Omit<Manifest, 'spec' | 'specText' | 'plan' | 'benchmarks' | 'parts'> = {
  ...{ formatVersion: 1, programVersion: '0.1.0', uuid: '7d0c1f5e-0000-4000-8000-000000000000', runId: 'large' },
  ...{ state: 'running', stateDetail: null, createdAt, updatedAt: createdAt, finishedAt: null, replays: {} },
  versions: { prompts: {}, extractor: '1', scorer: '1', prices: '2026-11-01' },
  sandbox: { tier: 'container', engine: 'docker 29', imageDigest: 'sha256:0123456789abcdef' },
};
