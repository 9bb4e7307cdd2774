/** The SELECT behind table `answers`: each sample with its verdict, its call, its prompt and the facts of its cell. */
import { excludedOutcomes } from '../schemas/states.ts';
import { cellKeyNames } from '../schemas/tables/keys.ts';
import { answerAddressSql } from './explain/cell-id-sql.ts';
import { quoteText } from './views.ts';

const cell = cellKeyNames.join(', ');
const asked = `${cell}, loop, step, ask`;
const excluded = [...excludedOutcomes].map(quoteText).join(', ');

/** Of several suites the first real failure, else the first excluded one, else the first. */
const judged = `
  SELECT ${cell}, loop, step, sample,
    arg_min(
      struct_pack(outcome := outcome, suite := suite, execution_id := execution_id,
        first_failing_case := first_failing_case),
      CASE WHEN outcome = 'pass' THEN '2' WHEN outcome IN (${excluded}) THEN '1' ELSE '0' END || suite) AS worst
  FROM verdicts GROUP BY ALL`;

/**
 * By answer, what its calls cost and how long the one that brought it took. A call for several answers is stored under
 * the key of its first; the others are found by their place.
 */
const paid = `
  SELECT run, call_key, sum(usd ORDER BY call) AS usd, any_value(latency_ms ORDER BY call) FILTER (used) AS latency_ms
  FROM (
    SELECT run, call_key, call, usd / n AS usd, latency_ms, used FROM calls
    UNION ALL
    SELECT run, s.call_key, c.call, c.usd / c.n, c.latency_ms, c.used
    FROM calls c JOIN (SELECT ${asked}, sample AS draw, call_key FROM samples WHERE sample > 0) s
      USING (${asked})
    WHERE c.n > 1 AND draw > c.sample AND draw < c.sample + c.n
  ) GROUP BY run, call_key`;

/** SQL of a value that `e.detail`, the detail of a verdict on a wrong output, names: 1 expected, 2 got; else null. */
export function comparedSql(place: 1 | 2): string {
  return `nullif(regexp_extract(e.detail, '^expected (.*?), got (.*)$', ${place}, 's'), '')`;
}

const equal = (to: string, columns: readonly string[]): string =>
  columns.map((name) => `${to}.${name} = s.${name}`).join(' AND ');

/**
 * @param kinds a SELECT of run, study and kind
 * @param cells a SELECT of a cell's key, kind, detail, phrasing, counts, answer_step; a row per cell
 */
export const answersSql = (kinds: string, cells: string): string => `
WITH kinds AS (${kinds}), cells AS (${cells}),
judged AS (${judged}), paid AS (${paid}),
sharers AS (SELECT run, call_key, count(*) AS rows FROM samples GROUP BY ALL)
SELECT s.run, s.study, kinds.kind, s.model, s.benchmark, s.task_id, s.language, s.variant,
  coalesce(c.detail, 'original') AS detail, coalesce(c.phrasing, 'original') AS phrasing, s.setting, s.repetition,
  s.loop, s.step, s.sample, s.ask, s.answering_model, s.effort,
  array_to_string(p.messages ->> '$[*].content', chr(10) || chr(10)) AS prompt, s.reply_status,
  s.solution AS code, j.worst.outcome AS outcome, j.worst.outcome = 'pass' AS passed,
  j.worst.outcome IS NOT NULL AND j.worst.outcome NOT IN (${excluded})
    AND coalesce(c.counts AND coalesce(c.answer_step, s.step) = s.step, false) AS counted,
  CASE WHEN j.worst.outcome <> 'pass' THEN j.worst.suite END AS failing_suite,
  j.worst.first_failing_case AS failing_case, e.failing_input,
  ${comparedSql(1)} AS expected,
  CASE WHEN e.outcome = 'exception' THEN e.detail ELSE ${comparedSql(2)} END AS got,
  paid.usd / sharers.rows AS usd, paid.latency_ms, s.request_id, s.simulated,
  ${answerAddressSql('s.')} AS address
FROM samples s
LEFT JOIN kinds ON kinds.run = s.run AND kinds.study = s.study
LEFT JOIN cells c ON ${equal('c', cellKeyNames)}
LEFT JOIN judged j ON ${equal('j', [...cellKeyNames, 'loop', 'step', 'sample'])}
LEFT JOIN executions e ON e.execution_id = j.worst.execution_id
LEFT JOIN prompts p ON p.prompt_sha256 = s.prompt_sha256
LEFT JOIN paid ON paid.run = s.run AND paid.call_key = s.call_key
LEFT JOIN sharers ON sharers.run = s.run AND sharers.call_key = s.call_key`;
