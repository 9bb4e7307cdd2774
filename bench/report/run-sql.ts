/** SQL of the answers of a large run, made by a rule: how good a model is, how hard a task,
and a hash of the rest. */
import type { TableName } from '../../schemas/tables.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { quoteText } from '../../analysis/views.ts';
import type { LargeKind } from './kinds.ts';

/** A number from 0 to 1 out of a hash. */
export const unitMacro = 'CREATE MACRO unit(h) AS (h >> 11) / 9007199254740992.0';

const key = 'run, study, model, benchmark, task_id, language, variant, setting, repetition';

/** Models from weak to strong, tasks from easy to hard; some tasks all pass, and some none. */
export const tasksSql = (tasks: number): string => `
  CREATE TABLE tasks AS SELECT i AS task, format('MBPP/{}', i + 2) AS task_id, 9 * (unit(hash('task',
  i)) - 0.4) AS ease,
    format('"""\\nWrite a function number {} that joins what lists hold, sorts it and drops repeats.\\n' ||
      'assert join_{}([[3, 1], [2, 1]]) == [1, 2, 3]\\n"""\\n', i, i) AS prompt, format('join_{}', i) AS entry_point
  FROM range(${tasks}) AS t(i)`;

/** The cells of one model, of which each page holds at most 128. */
export const cellsSql = (model: string, place: number): string => `
  CREATE OR REPLACE TABLE cells AS
  SELECT 'large' AS run, 'study' AS study, '${model}' AS model, 'mbpp' AS benchmark, task_id, 'python' AS language,
    prompts.* EXCLUDE (place), entry_point, prompt,
    ease + 3 * unit(hash('model', ${place})) + 1.2 * unit(hash('${model}', task_id)) +
      1.5 * (unit(hash('${model}', task_id, variant)) - 0.5) AS logit,
    lpad(((row_number() OVER (ORDER BY task, place) - 1) // 128)::VARCHAR, 5, '0') AS part
  FROM tasks CROSS JOIN prompts`;

/** The answers with a program. */
export const answersSql = ({ samples, loops = 1, step = 'generate' }: LargeKind): string => `
  CREATE OR REPLACE TABLE answers AS
  WITH drawn AS (
    SELECT cells.*, loop, sample, CASE WHEN setting = 'nfr-enhanced' THEN 'improve' ELSE '${step}' END AS step,
      hash(model, task_id, variant, setting, repetition, loop, sample) AS lot,
      unit(lot) < 1 / (1 + exp(0.15 * (loop - 1) - logit)) AS would_pass
    FROM cells, range(1, ${loops + 1}) AS l(loop), range(${samples}) AS s(sample)
  ),
  asked AS (
    SELECT *, would_pass AS passes, format('study/{}/r1p{}', model, part) AS page, CASE WHEN NOT would_pass THEN
      CASE (lot % 10)::INT WHEN 0 THEN 'exception' WHEN 1 THEN 'syntax_error' WHEN 2 THEN 'wall_timeout'
        ELSE 'wrong_output' END END AS failure
    FROM drawn
    QUALIFY coalesce(bool_and(would_pass) OVER (PARTITION BY task_id, variant, setting, repetition,
    sample ORDER BY loop
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true)
  ),
  worded AS (
    SELECT *, format('def {}(lists):\\n    """Join the lists in order {}."""\\n    seen = set()\\n    joined = []\\n' ||
      '    for part in lists:\\n        for item in part[{}:]:\\n            if item not in seen:\\n' ||
      '                seen.add(item)\\n                joined.append(item)\\n' || '    return sorted(joined)\\n',
      entry_point, model, CASE WHEN passes THEN 0 ELSE 1 + lot % 5 END) AS solution
    FROM asked
  )
  SELECT *, sha256(solution) AS program_sha256, sha256(concat_ws('|', ${key}, loop, sample)) AS call_key,
    CASE WHEN loop = 1 THEN sha256(concat_ws('|', task_id, variant, setting))
      ELSE sha256(concat_ws('|', ${key}, loop)) END AS prompt_sha256
  FROM worded`;

/** Two suites; of the answers that fail, one in three fails the second only. */
export const judgedSql = `
  CREATE OR REPLACE TABLE judged AS
  SELECT *, sha256(program_sha256 || suite) AS execution_id FROM (
    SELECT *, suite, CASE WHEN passes OR (suite = 'base' AND lot % 3 = 0) THEN 'pass' ELSE failure END AS outcome
    FROM answers, (VALUES ('base'), ('plus')) AS s(suite))`;

const promptText = `format('Write what the following text asks for, {} {}.\\n\\n{}', variant, loop, prompt)`;

const sampleRow = (more: string): string => `
  SELECT ${key}, part, loop, sample, 0 AS ask, model AS answering_model, prompt_sha256, 'ok' AS reply_status,
    false AS simulated, ${more}`;

/** The tables that every kind has, of one model. */
export const commonTables = ({ further }: LargeKind): Partial<Record<TableName, string>> => {
  const code = sampleRow(`step, call_key, 'Here it is:\\n\`\`\`python\\n' || solution || '\`\`\`' AS reply,
    'fenced' AS extraction, 'paper 1' AS extraction_rule, 1 AS blocks, 1 AS defining_blocks, solution,
    program_sha256, -9 * unit(lot) AS logprob_sum, 60 AS logprob_tokens`);
  const words = sampleRow(`'${further}' AS step, sha256(call_key) AS call_key,
    format('Join the lists, sort and drop repeats, as in round {} of {}.', loop, task_id) AS reply`);
  const ofCode = `${code} FROM answers`;
  return {
    samples: further === undefined ? ofCode : `${ofCode} UNION ALL BY NAME ${words} FROM answers WHERE passes`,
    prompts: `SELECT DISTINCT ON (part, prompt_sha256) prompt_sha256, page, part, to_json([{role: 'user', content:
      ${promptText}}])::VARCHAR AS messages FROM answers`,
    verdicts: `SELECT ${key}, part, loop, step, sample, suite, execution_id, outcome,
      CASE WHEN outcome <> 'pass' THEN (lot % 40)::INT END AS first_failing_case, false AS simulated FROM judged`,
    executions: `SELECT DISTINCT ON (part, execution_id) execution_id, part, page, program_sha256, suite, outcome,
      CASE WHEN outcome <> 'pass' THEN (lot % 40)::INT END AS first_failing_case,
      CASE WHEN outcome <> 'pass' THEN '[[[3, 1], [2, 1]]]' END AS failing_input,
      CASE WHEN outcome = 'wrong_output' THEN 'expected [1, 2, 3], got [1, 2]' END AS detail, 2.5 AS cpu_ms,
      3.5 AS wall_ms,
      'container' AS tier, 'isolated' AS lane, 'docker 29' AS engine, 'sha256:0' AS image_digest, '{}' AS limits,
      false AS reused FROM judged`,
    calls: `SELECT ${key}, part, page, loop, step, sample, row_number() OVER () AS call, call_key, 0 AS ask, 1 AS n,
      'study' AS role, model AS answering_model, model AS returned_model, '{"temperature":0}' AS parameters_sent,
      'answered' AS status, true AS used, 300 AS input_tokens, (150 + lot % 100)::INT AS output_tokens, 0.0002 AS usd,
      'reported' AS cost_basis, '2026-11-01' AS price_date, make_timestamptz(1795000000000000) AS started_at,
      400.0 + lot % 2000 AS latency_ms, false AS simulated FROM answers`,
  };
};

/** The tables of the whole run that are not derived. */
export const runTables = (
  { kind }: SpecStudy,
  models: readonly string[],
  { variants }: LargeKind,
): Partial<Record<TableName, string>> => ({
  models: `SELECT 'large' AS run, m AS model, 'oai' AS provider, 'openai' AS kind,
  'https://api.example.com/v1' AS endpoint,
    m AS requested_model, 'Org ' || m[5] AS family, regexp_extract(m, '-([0-9.]+)b-', 1)::DOUBLE AS size_b,
    'study' AS roles,
    false AS simulated FROM unnest([${models.map(quoteText)}]) AS u(m)`,
  settings: `SELECT DISTINCT 'large' AS run, 'study' AS study, setting, '${kind}' AS kind, '1' AS prompt_version
    FROM prompts`,
  tasks: `SELECT 'large' AS run, 'mbpp' AS benchmark, task_id, 'python' AS language, task_id AS source_task_id,
  entry_point,
    prompt, sha256(prompt) AS record_sha256 FROM tasks`,
  suites: `SELECT 'large' AS run, 'mbpp' AS benchmark, task_id, 'python' AS language, suite, 40 AS n_cases,
    'pass' AS reference_outcome, '{}' AS limits, 1.0 AS reference_wall_ms FROM tasks, (VALUES ('base'),
    ('plus')) AS s(suite)`,
  ...(variants === undefined
    ? {}
    : {
        variants: `SELECT 'large' AS run, 'study' AS study, 'mbpp' AS benchmark, 'python' AS language,
        * FROM (${variants})`,
      }),
});
