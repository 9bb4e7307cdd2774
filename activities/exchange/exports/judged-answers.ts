/** The judged answers of a run, for formats of other tools. */
import { excludedOutcomes, type Outcome } from '../../../schemas/states.ts';
import { cellKeyNames } from '../../../schemas/tables/keys.ts';
import { excludedList } from '../../../analysis/excluded-list.ts';
import { quoteText } from '../../../analysis/views.ts';
import type { ExportSource } from './export-format.ts';

export interface SuiteOutcome {
  readonly suite: string;
  readonly outcome: Outcome;
}

/** One answer with code asked for; null where the tables have null. */
export interface JudgedAnswer {
  readonly study: string;
  readonly model: string;
  readonly benchmark: string;
  readonly task_id: string;
  readonly source_task_id: string;
  readonly language: string;
  readonly variant: string;
  readonly setting: string;
  readonly repetition: number;
  readonly loop: number;
  readonly sample: number;
  readonly reply: string;
  readonly reply_status: string;
  readonly solution: string | null;
  readonly outcome: Outcome;
  readonly counted: boolean;
  /** Whether it is counted, or would be if all suites could judge it. */
  readonly of_rate: boolean;
  readonly suites: readonly SuiteOutcome[];
  readonly failing_suite: string | null;
  readonly failing_input: string | null;
  readonly detail: string | null;
  /** JSON: [{role, content}, ...]. */
  readonly messages: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly latency_ms: number | null;
}

const cell = cellKeyNames.join(', ');
/** Columns that name an answer of a run. */
export const answer = [...cellKeyNames, 'loop', 'step', 'sample'];
const joined = (table: string, columns: readonly string[]): string =>
  columns.map((name) => `${table}.${name} = a.${name}`).join(' AND ');

/** Tokens of a call for several answers belong to all of them: left out. */
const sql = ({ study, model }: ExportSource): string => `
WITH outcomes AS (
  SELECT ${answer.join(', ')}, to_json(list({suite: suite, outcome: outcome} ORDER BY suite)) AS suites,
    map_from_entries(list((suite, execution_id)) FILTER (execution_id IS NOT NULL)) AS executions
  FROM verdicts GROUP BY ALL),
rated AS (SELECT DISTINCT study, setting, step FROM answers WHERE counted),
used AS (
  SELECT call_key, any_value(input_tokens) AS input_tokens, any_value(output_tokens) AS output_tokens
  FROM calls WHERE used AND n = 1 GROUP BY call_key)
SELECT a.study, a.model, a.benchmark, a.task_id, t.source_task_id, a.language, a.variant, a.setting, a.repetition,
  a.loop, a.sample, s.reply, s.reply_status, s.solution, a.outcome, a.counted,
  a.counted OR (a.outcome IN (${excludedList})
    AND (a.study, a.setting, a.step) IN (SELECT (study, setting, step) FROM rated)) AS of_rate,
  o.suites, a.failing_suite, a.failing_input, e.detail, p.messages, used.input_tokens, used.output_tokens, a.latency_ms
FROM answers a
JOIN samples s ON ${joined('s', [...answer, 'ask'])}
JOIN outcomes o ON ${joined('o', answer)}
JOIN tasks t ON ${joined('t', ['run', 'benchmark', 'task_id', 'language'])}
LEFT JOIN prompts p ON p.run = a.run AND p.prompt_sha256 = s.prompt_sha256
LEFT JOIN executions e ON e.run = a.run AND e.execution_id = o.executions[a.failing_suite]
LEFT JOIN used ON used.call_key = s.call_key
WHERE a.outcome IS NOT NULL${study === null ? '' : ` AND a.study = ${quoteText(study)}`}${
  model === null ? '' : ` AND a.model = ${quoteText(model)}`
}
ORDER BY a.${cell.replaceAll(', ', ', a.')}, a.loop, a.sample`;

/** By study, model, benchmark and task; a task's answers by variant, setting, repetition, loop and draw. */
export async function* judgedAnswers(source: ExportSource): AsyncGenerator<JudgedAnswer> {
  const { columns, batches } = await source.database.stream(sql(source));
  let read = 0;
  source.onAnswers?.(read);
  for await (const batch of batches) {
    for (const row of batch) {
      const record = Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
      yield { ...record, suites: JSON.parse(record['suites'] as string) as SuiteOutcome[] } as unknown as JudgedAnswer;
    }
    read += batch.length;
    source.onAnswers?.(read);
  }
}

/** Null for a suite that evenkeel could not judge. */
export const passedOf = (outcome: Outcome): boolean | null =>
  excludedOutcomes.has(outcome) ? null : outcome === 'pass';
