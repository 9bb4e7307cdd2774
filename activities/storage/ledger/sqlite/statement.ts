/** Prepared statements over an open ledger file. */
import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** A prepared statement whose errors name the file if the file is damaged. */
export interface Statement {
  all(...values: readonly SQLInputValue[]): ReturnType<StatementSync['all']>;
  get(...values: readonly SQLInputValue[]): ReturnType<StatementSync['get']>;
  run(...values: readonly SQLInputValue[]): ReturnType<StatementSync['run']>;
}

export type Sql = (text: string, integers?: 'bigint') => Statement;
