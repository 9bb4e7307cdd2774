/** Searches what an archive would hold for the values of keys, before anything is published. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Manifest } from '../../../schemas/manifest.ts';
import { mayBeName } from '../../providers/secret.ts';
import { quoted } from './left-texts.ts';

/** A text that no archive may hold, with the name that it is known by. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Shorter values are in many texts by chance. */
const leastLength = 6;

/** The values of the variables that the run's accounts name, as far as this process has them. */
export const secretsOf = (manifest: Manifest, env: NodeJS.ProcessEnv): Secret[] =>
  variablesOf(manifest).flatMap((name) => {
    const value = setValue(name, env);
    return value.length < leastLength || mayBeName(value) ? [] : [{ name, value }];
  });

/** The variables that this process lacks: nothing can be searched for their values. */
export const unsetVariablesOf = (manifest: Manifest, env: NodeJS.ProcessEnv): string[] =>
  variablesOf(manifest).filter((name) => setValue(name, env) === '');

const setValue = (name: string, env: NodeJS.ProcessEnv): string => env[name]?.trim() ?? '';

const variablesOf = ({ spec }: Manifest): string[] => [
  ...new Set(
    Object.values(spec.providers).flatMap(({ apiKeyEnv, headersEnv = {} }) => [
      ...(apiKeyEnv === undefined ? [] : [apiKeyEnv]),
      ...Object.values(headersEnv),
    ]),
  ),
];

/** `NAME in PLACE`, one for each table's column, file, or table of the ledger that holds a secret. */
export async function placesOf(secrets: readonly Secret[], stage: string, names: readonly string[]): Promise<string[]> {
  if (secrets.length === 0) return [];
  const tables = Map.groupBy(
    names.filter((name) => name.endsWith('.parquet')),
    (name) => name.split('/', 1)[0] as string,
  );
  const files = names.filter((name) => !name.endsWith('.parquet') && name !== 'ledger.sqlite');
  return [
    ...(await inTables(secrets, stage, tables)),
    ...files.flatMap((name) => found(secrets, readFileSync(join(stage, name), 'utf8'), name)),
    ...(names.includes('ledger.sqlite') ? inLedger(secrets, join(stage, 'ledger.sqlite')) : []),
  ];
}

const found = (secrets: readonly Secret[], text: string, place: string): string[] =>
  secrets.filter(({ value }) => text.includes(value)).map(({ name }) => `${name} in ${place}`);

async function inTables(
  secrets: readonly Secret[],
  stage: string,
  tables: ReadonlyMap<string, readonly string[]>,
): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const places: string[] = [];
    for (const [table, names] of tables) {
      const files = names.map((name) => quoted(join(stage, name))).join(', ');
      const source = `read_parquet([${files}], union_by_name = true, hive_partitioning = false)`;
      const known = await connection.runAndReadAll(`SELECT * FROM ${source} LIMIT 0`);
      const texts = known.columnNames().filter((_name, index) => String(known.columnType(index)) === 'VARCHAR');
      const checks = texts.flatMap((column) =>
        secrets.map(({ name, value }) => ({
          place: `${name} in ${table}.${column}`,
          sql: `coalesce(bool_or(contains("${column}", ${quoted(value)})), false)`,
        })),
      );
      if (checks.length === 0) continue;
      const rows = await connection.runAndReadAll(`SELECT ${checks.map(({ sql }) => sql).join(', ')} FROM ${source}`);
      places.push(...checks.flatMap(({ place }, index) => (rows.getRows()[0]?.[index] === true ? [place] : [])));
    }
    return places;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Reads every value of every table, since bodies are compressed. */
function inLedger(secrets: readonly Secret[], file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    return tables.flatMap(({ name }) => {
      const places = new Set<string>();
      for (const row of database.prepare(`select * from "${String(name)}"`).iterate())
        for (const value of Object.values(row))
          for (const place of found(secrets, textIn(value), `the ledger's ${String(name)}`)) places.add(place);
      return [...places];
    });
  } finally {
    database.close();
  }
}

const zstdMark = 0x28;

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof Uint8Array)) return '';
  return (value[0] === zstdMark && value[1] === 0xb5 ? zstdDecompressSync(value) : Buffer.from(value)).toString('utf8');
}
