/** Everything that a run's tables and manifest say of an answer. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import { cellKeyNames } from '../../schemas/tables/keys.ts';
import { comparedSql } from '../answers/answers-sql.ts';
import { answerAddressSql } from './cell-id-sql.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { quoteText } from '../views.ts';
import type { FoundAnswer } from './find-row.ts';

/** Rows are those of the tables, with their columns' names. */
export interface ExplainedAnswer extends FoundAnswer {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** Address of the answer that the prompt was made from; null if it was made from the task. */
  readonly parent: string | null;
  /** How the prompt's variant was made; null for the unchanged prompt. */
  readonly variant: Row | null;
  readonly task: Row | null;
  /** The benchmark's file and task records. */
  readonly dataSet: Manifest['benchmarks'][string] | null;
  readonly setting: Row | null;
  /** The model that answered. */
  readonly model: Row | null;
  /** Every attempt at this answer; the one whose reply counts first. */
  readonly calls: readonly Row[];
  /** One per suite, with its execution, the suite's cases and limits, and the failing case's values. */
  readonly verdicts: readonly Row[];
}

export async function explainAnswer(
  database: RunDatabase,
  manifest: Manifest,
  found: FoundAnswer,
): Promise<ExplainedAnswer> {
  const { sample } = found;
  const first = async (sql: string): Promise<Row | null> => (await records(database, sql))[0] ?? null;
  const equal = (...columns: readonly string[]): string => equalSql(sample, columns);
  const prompt = await first(`SELECT messages FROM prompts WHERE ${equal('prompt_sha256')} LIMIT 1`);
  return {
    ...found,
    messages: JSON.parse(String(prompt?.['messages'] ?? '[]')) as ExplainedAnswer['messages'],
    parent: await parentOf(database, sample),
    variant:
      sample['variant'] === 'original'
        ? null
        : await first(`FROM variants WHERE ${equal('run', 'study', 'benchmark', 'task_id', 'language', 'variant')}`),
    task: await first(`FROM tasks WHERE ${equal('run', 'benchmark', 'task_id', 'language')}`),
    dataSet: manifest.benchmarks[String(sample['benchmark'])] ?? null,
    setting: await first(`FROM settings WHERE ${equal('run', 'study', 'setting')}`),
    model: await first(`FROM models WHERE ${equal('run')} AND model = ${quoteText(String(sample['answering_model']))}`),
    calls: await records(database, callsSql(sample)),
    verdicts: await records(database, verdictsSql(sample)),
  };
}

const equalSql = (row: Row, columns: readonly string[], prefix = ''): string =>
  columns.map((column) => `${prefix}${column} = ${literal(row[column])}`).join(' AND ');

const literal = (value: Row[string] | undefined): string =>
  typeof value === 'number' ? String(value) : quoteText(String(value));

/** The last answer of that step and loop: of the same draw if there is one. */
async function parentOf(database: RunDatabase, sample: Row): Promise<string | null> {
  const { parent_step: step, parent_loop: loop } = sample;
  if (typeof step !== 'string' || typeof loop !== 'number') return null;
  const [row] = await records(
    database,
    `SELECT ${answerAddressSql()} AS address FROM samples
      WHERE ${equalSql(sample, cellKeyNames)} AND step = ${quoteText(step)} AND loop = ${loop}
      ORDER BY ask DESC, sample <> ${literal(sample['sample'])}, sample LIMIT 1`,
  );
  return row === undefined ? null : String(row['address']);
}

/** A call for several answers has the key of its first; the others are found by their place. */
function callsSql(sample: Row): string {
  const draw = literal(sample['sample']);
  const place = equalSql(sample, [...cellKeyNames, 'loop', 'step', 'ask']);
  return `FROM calls WHERE ${equalSql(sample, ['run', 'call_key'])}
    OR (n > 1 AND ${place} AND ${draw} > sample AND ${draw} < sample + n)
    ORDER BY NOT used, call`;
}

function verdictsSql(sample: Row): string {
  return `
    SELECT v.suite, v.outcome, v.first_failing_case, e.failing_input, ${comparedSql(1)} AS expected,
      CASE WHEN e.ended = 'exception' THEN e.detail ELSE ${comparedSql(2)} END AS got, e.detail, s.n_cases,
      s.reference_outcome, coalesce(e.limits, s.limits) AS limits, execution_id, e.cpu_ms, e.wall_ms, e.memory_bytes,
      e.tier, e.lane, e.engine, e.image_digest, e.reused
    FROM (FROM verdicts WHERE ${equalSql(sample, [...cellKeyNames, 'loop', 'step', 'sample'])}) v
    LEFT JOIN (
      SELECT * EXCLUDE (suite, outcome, first_failing_case), outcome AS ended FROM executions
      QUALIFY row_number() OVER (PARTITION BY run, execution_id) = 1
    ) e USING (run, execution_id)
    LEFT JOIN suites s USING (run, benchmark, task_id, language, suite)
    WHERE ${sample['extraction'] === null ? 'false' : 'true'}
    ORDER BY v.suite`;
}
