/** Which faults come from what is computed, and which from the machine, a server or damage. */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { asInputError } from '../../analysis/select-statement.ts';
import { firstLineOf, isComputingFault } from '../../domain/missing-tables/computing-fault.ts';
import { CorruptionError, InputError, MissingPartError, ServerError } from '../../domain/errors.ts';
import { sustainedCounts } from '../../domain/metrics/asl.ts';

const thrown = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

const asked = async (sql: string, settings: Record<string, string> = {}): Promise<void> => {
  const connection = await (await DuckDBInstance.create(':memory:', settings)).connect();
  await connection.runAndReadAll(sql).catch(asInputError);
};

test.each([
  ['a formula that refuses its input', () => sustainedCounts([{ sustainedLoops: 3, similarity: 1 }], 1)],
  ['an undefined value', () => (undefined as unknown as { rows: [] }).rows.length],
  ['a value that a query cannot convert', () => asked("select 'x'::int")],
])('%s is one', async (_what, work) => {
  expect(isComputingFault(await thrown(work))).toBe(true);
});

test.each([
  ['a missing file', () => readFileSync('/no/such/file')],
  ['a file that a query cannot read', () => asked("select * from '/no/such/file.parquet'")],
  ['too little memory for a query', () => asked('select list(range) from range(10000000)', { memory_limit: '20MB' })],
  ['a full disk', () => Promise.reject(new Error('ENOSPC: no space left on device, write'))],
  ['a full disk below', () => Promise.reject(new Error('it failed', { cause: new Error('database or disk is full') }))],
  ['damage', () => Promise.reject(new CorruptionError('a', 'is damaged'))],
  ['a silent server', () => Promise.reject(new ServerError('the store does not answer', new Error('timeout')))],
  ['a missing part', () => Promise.reject(new MissingPartError('no sandbox'))],
  ["a person's fault", () => Promise.reject(new InputError('was moved'))],
])('%s is none', async (_what, work) => {
  expect(isComputingFault(await thrown(work))).toBe(false);
});

test('its first line is short', () => {
  expect(firstLineOf(new TypeError('one\ntwo'))).toBe('one');
  expect(firstLineOf(new TypeError())).toBe('TypeError');
  expect(firstLineOf(new Error('x'.repeat(9_000)))).toHaveLength(500);
});
