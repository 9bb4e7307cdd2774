/** Reads examples: everything that was asked and answered for some cells. */
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import { stepNames } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import { cellKeyNames } from '../../../schemas/tables/keys.ts';
import { comparedSql } from '../../answers/answers-sql.ts';
import type { RunDatabase } from '../../database.ts';
import { records } from '../../records.ts';
import { quoteText } from '../../views.ts';
import { flipsOf } from './cells-sql.ts';
import type { Example, ExampleEntry, ExampleMessage, ExampleStep, ExampleVerdict } from './example.ts';

/** Longer texts are cut, with a remark. */
const mostCharacters = 8_000;

/** The examples of these cells, in their order. */
export async function readExamples(database: RunDatabase, cells: readonly Row[]): Promise<Example[]> {
  if (cells.length === 0) return [];
  const chosen = chosenSql(cells);
  const samples = await records(database, `${chosen} ${samplesSql}`);
  const asked = samples.flatMap((row) => [row['prompt_sha256'], row['original_sha256']]);
  const prompts = await records(
    database,
    `SELECT prompt_sha256, messages FROM prompts WHERE ${isAmong('prompt_sha256', asked)}`,
  );
  const judged = await records(database, `${chosen} ${verdictsSql}`);
  const runs = await records(
    database,
    runsSql(
      isAmong(
        'execution_id',
        judged.map((row) => row['execution_id']),
      ),
    ),
  );
  const runOf = new Map(runs.map((row) => [row['execution_id'], row]));
  const verdicts = judged.map((row) => ({ ...nothingRun, ...runOf.get(row['execution_id'] ?? null), ...row }));
  const messagesOf: MessagesOf = new Map(prompts.map((row) => [textOf(row, 'prompt_sha256'), messages(row)]));
  const samplesOf = Map.groupBy(samples, cellName);
  const verdictsOf = Map.groupBy(verdicts, sampleName);
  return cells.map((cell) => {
    const steps = (samplesOf.get(cellName(cell)) ?? []).map((row) =>
      stepOf(row, messagesOf, verdictsOf.get(sampleName(row)) ?? []),
    );
    return { ...entryOf(cell), steps };
  });
}

/** @param row of `namedSql` */
export const entryOf = (row: Row): ExampleEntry => ({
  id: textOf(row, 'id'),
  run: textOf(row, 'run'),
  study: textOf(row, 'study'),
  model: textOf(row, 'model'),
  benchmark: textOf(row, 'benchmark'),
  taskId: textOf(row, 'task_id'),
  language: textOf(row, 'language'),
  variant: textOf(row, 'variant'),
  setting: textOf(row, 'setting'),
  repetition: numberOf(row, 'repetition'),
  simulated: row['simulated'] === true,
  result: textOf(row, 'result'),
  sustainedLoops: numberOrNull(row, 'sustained_loops'),
  passed: numberOrNull(row, 'passed'),
  judged: numberOrNull(row, 'judged'),
  flips: flipsOf(row),
});

type MessagesOf = ReadonlyMap<string, readonly ExampleMessage[]>;

function stepOf(row: Row, messagesOf: MessagesOf, verdicts: readonly Row[]): ExampleStep {
  return {
    loop: numberOf(row, 'loop'),
    step: textOf(row, 'step'),
    ask: numberOf(row, 'ask'),
    sample: numberOf(row, 'sample'),
    answeringModel: textOf(row, 'answering_model'),
    messages: messagesOf.get(textOrNull(row, 'prompt_sha256') ?? '') ?? [],
    original: messagesOf.get(textOrNull(row, 'original_sha256') ?? '') ?? null,
    reply: cutText(textOrNull(row, 'reply') ?? '', row['reply_length']),
    replyStatus: textOf(row, 'reply_status'),
    extraction: textOrNull(row, 'extraction'),
    solution: row['solution'] === null ? null : cutText(textOf(row, 'solution'), row['solution_length']),
    language: textOf(row, 'written_in'),
    verdicts: verdicts.map(verdictOf),
    score: numberOrNull(row, 'score'),
  };
}

const verdictOf = (row: Row): ExampleVerdict => ({
  suite: textOf(row, 'suite'),
  outcome: textOf(row, 'outcome'),
  firstFailingCase: numberOrNull(row, 'first_failing_case'),
  cases: numberOrNull(row, 'n_cases'),
  detail: textOrNull(row, 'detail'),
  input: textOrNull(row, 'failing_input'),
  expected: textOrNull(row, 'expected'),
  got: textOrNull(row, 'got'),
});

/** Column `messages` is JSON that evenkeel wrote: a list of role and content. */
function messages(row: Row): ExampleMessage[] {
  const all = JSON.parse(textOf(row, 'messages')) as { role: string; content: string }[];
  return all.map(({ role, content }) => ({ role, content: cutText(content.slice(0, mostCharacters), content.length) }));
}

/** @param text the first `mostCharacters` of a text @param length of the whole text */
function cutText(text: string, length: Row[string] | undefined): string {
  const cut = Number(length ?? 0) - mostCharacters;
  return cut > 0 ? `${text}\n[cut here: ${cut} more characters are in the run's tables]` : text;
}

const textOrNull = (row: Row, column: string): string | null => (typeof row[column] === 'string' ? row[column] : null);

const cellName = (row: Row): string => JSON.stringify(cellKeyNames.map((column) => row[column]));
const sampleName = (row: Row): string =>
  JSON.stringify([...cellKeyNames, 'loop', 'step', 'sample'].map((column) => row[column]));

const key = cellKeyNames.join(', ');

/** The chosen cells as a named query. */
function chosenSql(cells: readonly Row[]): string {
  const rows = cells.map((cell) => `(${cellKeyNames.map((column) => literal(cell[column])).join(', ')})`);
  return `WITH chosen AS (SELECT * FROM (VALUES ${rows.join(', ')}) AS cells (${key}))`;
}

const literal = (value: Row[string] | undefined): string =>
  typeof value === 'number' ? String(value) : quoteText(String(value));

const stepOrder = `list_position([${stepNames.map(quoteText).join(', ')}], step)`;

const task = 'run, study, benchmark, task_id, language';

/** By task and step, the unchanged prompt: under the same setting, else under any. */
const originals = `originals AS (
  SELECT ${task}, step, setting AS asked_under, arg_min(prompt_sha256, (model, repetition, sample)) AS original_sha256
  FROM samples WHERE variant = 'original' AND loop = 1 AND ask = 0
    AND (run, study, benchmark, task_id) IN (SELECT run, study, benchmark, task_id FROM chosen)
  GROUP BY ALL
),
changed AS (
  SELECT ${key}, step, 1 AS loop, arg_min(original_sha256, (asked_under <> setting, asked_under)) AS original_sha256
  FROM chosen JOIN originals USING (${task}) WHERE variant <> 'original' GROUP BY ALL
)`;

/** The first of several equal answers to one question. */
const samplesSql = `, ${originals}
  SELECT ${key}, loop, step, ask, sample, answering_model, prompt_sha256, reply_status, extraction, score,
    original_sha256, coalesce(target_language, language) AS written_in,
    left(reply, ${mostCharacters}) AS reply, length(reply) AS reply_length,
    left(solution, ${mostCharacters}) AS solution, length(solution) AS solution_length
  FROM samples
  SEMI JOIN chosen USING (${key})
  LEFT JOIN changed USING (${key}, loop, step)
  LEFT JOIN (SELECT ${key}, loop, target_language FROM translations) USING (${key}, loop)
  LEFT JOIN (SELECT ${key}, loop, ask, coalesce(sample, 0) AS sample, 'judge' AS step, score FROM judgements)
    USING (${key}, loop, step, ask, sample)
  QUALIFY row_number() OVER (PARTITION BY ${key}, loop, step, ask, answering_model, samples.reply ORDER BY sample) = 1
  ORDER BY ${key}, loop, ${stepOrder}, ask, sample`;

const verdictsSql = `
  SELECT v.*, s.n_cases FROM (FROM verdicts SEMI JOIN chosen USING (${key})) v
  LEFT JOIN suites s USING (run, benchmark, task_id, language, suite)
  ORDER BY ${key}, loop, step, sample, suite`;

const nothingRun = { detail: null, failing_input: null, expected: null, got: null } as const;

/** A list of values, unlike a join, keeps DuckDB from sorting the whole table for the first row of each. */
const isAmong = (column: string, values: readonly (Row[string] | undefined)[]): string => {
  const listed = [...new Set(values)].filter((value) => value != null).map(literal);
  return listed.length === 0 ? 'false' : `${column} IN (${listed.join(', ')})`;
};

const runsSql = (isWanted: string): string => `
  SELECT execution_id, detail, failing_input, ${comparedSql(1)} AS expected, ${comparedSql(2)} AS got
  FROM executions e WHERE ${isWanted}`;
