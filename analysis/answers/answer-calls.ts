/** The calls that brought a study's answers, also those that another study of the run asked first. */

/** SQL of the columns of a call that costs and times are made of. */
const costs = 'usd, cost_basis, latency_ms, status, origin';
const shares = 'c.usd / c.n AS usd, c.cost_basis, c.latency_ms / c.n AS latency_ms, c.status, c.origin';
const place = 'study, model, benchmark, task_id, language, variant, setting, repetition, loop, step, ask';

/** The study's own calls. */
export const ownCallsSql = (columns: readonly string[], where: string): string =>
  `SELECT ${columns.join(', ')}, call, ${costs} FROM calls WHERE ${where}`;

/**
 * With those of equal requests that the same model answered for another study: each study counts what its answers
 * took, as if it were alone. A call for several answers counts by the share of them that are used; one for several
 * tasks with the same prompt counts for the task that asked, or the first of them.
 * @param columns with run, study and model @param where SQL condition @param tasks the part of it that is about tasks
 */
export const answerCallsSql = (columns: readonly string[], where: string, tasks: string): string => `
  WITH sent AS (
    SELECT run, study, model, task_id, call_key, call, ${shares} FROM calls c WHERE ${tasks}
    UNION ALL
    SELECT run, study, model, task_id, s.call_key, c.call, ${shares}
    FROM (FROM calls WHERE n > 1 AND ${tasks}) c
      JOIN (SELECT run, ${place}, sample AS draw, call_key FROM samples WHERE sample > 0 AND ${tasks}) s
      USING (run, ${place})
    WHERE draw > c.sample AND draw < c.sample + c.n),
  used AS (
    FROM (SELECT DISTINCT ${columns.join(', ')}, call_key FROM samples WHERE ${where})
    ANTI JOIN (FROM sent WHERE status = 'answered') USING (run, study, model, call_key)),
  borrowed AS (
    SELECT ${columns.map((name) => `used.${name}`).join(', ')}, used.call_key
    FROM used LEFT JOIN (SELECT DISTINCT run, model, call_key, task_id, true AS is_asked FROM sent) asking
      USING (run, model, call_key, task_id)
    QUALIFY row_number() OVER (
      PARTITION BY run, study, model, call_key ORDER BY is_asked, ${columns.join(', ')}) = 1)
  ${ownCallsSql(columns, where)}
  UNION ALL
  SELECT ${columns.map((name) => `borrowed.${name}`).join(', ')}, sent.call, ${costs}
  FROM borrowed JOIN sent ON sent.run = borrowed.run AND sent.model = borrowed.model
    AND sent.call_key = borrowed.call_key AND sent.study <> borrowed.study`;
