/** Every SQL of the README and docs/, in a block or in a line, can be asked of the tables that there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTable } from '../../analysis/views.ts';
import { type Table, tables } from '../../schemas/tables.ts';
import { answersTable } from '../../schemas/tables/answers.ts';
import { comparisonTables } from '../../schemas/tables/comparison.ts';
import { inViews } from '../../schemas/tables/in-views.ts';
import { multiverseTables } from '../../schemas/tables/multiverse.ts';
import { recordedAgreement } from '../../schemas/tables/recorded.ts';
import { documents, repository } from '../support/doc-commands.ts';

const known: readonly Table[] = [
  ...[answersTable, recordedAgreement],
  ...[tables, comparisonTables, multiverseTables].flatMap((some): Table[] => Object.values(some)).map(inViews),
];

/** Statements that the documents show, in the order in which they stand there. */
const statementsOf = (document: string): string[] => {
  const text = readFileSync(join(repository, document), 'utf8');
  const blocks = [...text.matchAll(/^ *```sql\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block);
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  const inLines = [...prose.matchAll(/`((?:select|with|from)\s[^`]+)`/gi)].map(([, line = '']) => line);
  const asked = [...text.matchAll(/ query [^"\n]*"([^"]+)"/g)].map(([, sql = '']) => sql);
  return [...blocks.flatMap((block) => block.split(/;\s*$/m)), ...inLines, ...asked].filter((sql) => sql.trim() !== '');
};

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  for (const table of known) await connection.run(createTable(table));
});
afterAll(() => {
  connection?.closeSync();
  instance?.closeSync();
});

/** Commands of DuckDB's own shell begin with a dot, and a usage line says only `"SQL"`. */
const isStatement = (sql: string): boolean => sql !== 'SQL' && !sql.trim().startsWith('.');
const shown = documents
  .filter((document) => !document.startsWith('docs/decisions/'))
  .flatMap((document) => statementsOf(document).map((sql) => ({ document, sql })))
  .filter(({ sql }) => isStatement(sql));

test('the documents show SQL', () => {
  expect(shown.length).toBeGreaterThan(30);
});

// Red before: docs/sandbox.md asked `samples` for a column `code`.
test.each(shown)('$document: $sql', async ({ sql }) => {
  const prepared = await connection.prepare(sql);
  prepared.destroySync();
});
