/** Kinds of failure by loop, and how similar the judge found the two prompts there. */
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { clusteredInterval } from '../../../../domain/statistics/intervals/clustered-interval.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import type { Estimate } from '../../../../analysis/estimate.ts';
import { records } from '../../../../analysis/records.ts';

/** Cells of one model that broke in one loop. */
export interface LoopBreaks {
  readonly model: string;
  readonly loop: number;
  /** No code, no summary, or invalid Python. */
  readonly format: number;
  /** The function is missing, or does not take the arguments of the tests. */
  readonly signature: number;
  /** Everything else: wrong output, other exceptions, limits of time and memory. */
  readonly semantics: number;
  /**
   * Only after at least one sustained loop: the judge's similarity is at least the threshold (sudden collapse), below
   * it (drift), or missing (unscored).
   */
  readonly collapsed: number;
  readonly drifted: number;
  readonly unscored: number;
  /** Mean similarity; null if no cell is scored. */
  readonly similarity: Estimate | null;
}

/** @param where SQL condition for the cells of one study of the run */
export async function loopBreaks(
  database: RunDatabase,
  run: string,
  where: string,
  threshold: number,
): Promise<LoopBreaks[]> {
  const counts = await records(database, breaksSql(database.storedRowsOf('executions', run), where, threshold));
  const scored = await records(database, similaritySql(where));
  const byLoop = Map.groupBy(scored, loopName);
  return counts.map((row) => breaksOf(row, byLoop.get(loopName(row)) ?? []));
}

const loopName = ({ model, loop }: Row): string => JSON.stringify([model, loop]);

/**
 * The first failing suite tells what broke; the execution's detail holds the error's name. It is the signature if every
 * suite that raised says that the entry point, or a lambda in its place, does not take its arguments.
 */
const breaksSql = (executions: string, where: string, threshold: number): string => `
  WITH broken AS (SELECT * FROM loops WHERE ${where} AND ended_by NOT IN ('survived', 'excluded', 'not_asked')),
  misfits AS (
    SELECT execution_id, detail FROM (${executions}) WHERE detail LIKE '%positional argument%' OR detail LIKE
      '%keyword argument%' OR detail LIKE '%required argument%' OR detail LIKE '%the program defines no%'),
  raised AS (
    SELECT * FROM verdicts v WHERE ${where} AND step = 'generate' AND outcome = 'exception' AND EXISTS (
      FROM broken b WHERE b.ended_outcome = 'exception' AND b.run = v.run AND b.study = v.study AND b.model = v.model
        AND b.task_id = v.task_id AND b.repetition = v.repetition AND v.loop = b.sustained_loops + 1)),
  details AS (
    SELECT v.run, v.study, v.model, v.task_id, v.repetition, v.loop,
      bool_and(m.detail IS NOT NULL AND (t.entry_point IS NULL OR contains(m.detail, 'the program defines no')
        OR contains(m.detail, ': <lambda>()') OR contains(m.detail, ': ' || t.entry_point || '()')
        OR contains(m.detail, '.' || t.entry_point || '()')
        OR contains(m.detail, ': ' || t.entry_point || '.__init__()'))) AS signature
    FROM raised v LEFT JOIN misfits m USING (execution_id)
    LEFT JOIN tasks t ON t.run = v.run AND t.benchmark = v.benchmark AND t.task_id = v.task_id
      AND t.language = v.language
    GROUP BY ALL),
  kinds AS (
    SELECT b.*, CASE WHEN b.ended_by IN ('no_summary', 'no_code') OR b.ended_outcome IN ('no_code',
      'syntax_error') THEN 'format'
      WHEN d.signature AND b.ended_outcome = 'exception' THEN 'signature' ELSE 'semantics' END AS kind
    FROM broken b LEFT JOIN details d ON d.run = b.run AND d.study = b.study AND d.model = b.model AND d.task_id =
      b.task_id
      AND d.repetition = b.repetition AND d.loop = b.sustained_loops + 1)
  SELECT model, (sustained_loops + 1)::INT AS loop,
    count(*) FILTER (WHERE kind = 'format')::INT AS format, count(*) FILTER (WHERE kind = 'signature')::INT AS
      signature,
    count(*) FILTER (WHERE kind = 'semantics')::INT AS semantics,
    count(*) FILTER (WHERE sustained_loops > 0 AND similarity >= ${threshold})::INT AS collapsed,
    count(*) FILTER (WHERE sustained_loops > 0 AND similarity < ${threshold})::INT AS drifted,
    count(*) FILTER (WHERE sustained_loops > 0 AND similarity IS NULL)::INT AS unscored
  FROM kinds GROUP BY ALL ORDER BY ALL`;

/** In a fixed order, because the last digit of a sum depends on it. */
const similaritySql = (where: string): string => `
  SELECT model, (sustained_loops + 1)::INT AS loop, benchmark, language, task_id, similarity FROM loops
  WHERE ${where} AND ended_by NOT IN ('survived', 'excluded', 'not_asked') AND similarity IS NOT NULL ORDER BY ALL`;

function breaksOf(row: Row, scored: readonly Row[]): LoopBreaks {
  const value = mean(scored.map((cell) => numberOf(cell, 'similarity')));
  const tasks = [
    ...Map.groupBy(scored, ({ benchmark, language, task_id }) =>
      JSON.stringify([benchmark, language, task_id]),
    ).values(),
  ];
  const interval = clusteredInterval(tasks, (cell) => numberOf(cell, 'similarity'), { lo: 0, hi: 1 });
  return {
    model: textOf(row, 'model'),
    loop: numberOf(row, 'loop'),
    format: numberOf(row, 'format'),
    signature: numberOf(row, 'signature'),
    semantics: numberOf(row, 'semantics'),
    collapsed: numberOf(row, 'collapsed'),
    drifted: numberOf(row, 'drifted'),
    unscored: numberOf(row, 'unscored'),
    similarity: value === null ? null : { value, interval },
  };
}
