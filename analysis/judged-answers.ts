/** The first programs of a run's cells, each with whether it passed. */
import { excludedList } from './excluded-list.ts';
import { type Row, tables } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';

/** Over the suites of a program. */
const passedSql = `CASE WHEN bool_and(outcome = 'pass') THEN true
    WHEN bool_or(outcome NOT IN ('pass', ${excludedList})) THEN false END`;

const cell = tables.samples.key.slice(0, 9).join(', ');

/**
 * One row per program of a cell's first loop, with the columns of its cell, its step and sample; `passed` is null if a
 * limit of evenkeel prevented judging, unless it fails another suite. Ordered by cell.
 * @param where SQL condition on `verdicts`
 */
export const judgedAnswers = (database: RunDatabase, where: string): Promise<Row[]> =>
  records(database, `${judgedSql(where)} ORDER BY ALL`);

/** The rows of `judgedAnswers` as a query, without an order. */
export const judgedSql = (where: string): string => `
  WITH judged AS (
    SELECT ${cell}, loop, step, sample, ${passedSql} AS passed, bool_or(simulated) AS simulated
    FROM verdicts WHERE ${where} GROUP BY ALL),
  firsts AS (SELECT * FROM judged QUALIFY loop = min(loop) OVER (PARTITION BY ${cell}))
  SELECT ${cell}, step, sample, passed, simulated
  FROM firsts`;
