/** Cells to read in full, prompts, replies, code and verdicts: a sample that is spread over models and results. */
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import { sha256 } from '../../domain/ids.ts';
import { stepNames } from '../../schemas/states.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { quoteText } from '../views.ts';

export interface Examples {
  /** In the order they were drawn: any beginning of the list is spread as well. */
  readonly examples: readonly Example[];
  /** Cells they were drawn from. */
  readonly of: number;
}

/** One cell of a study with everything that was asked and answered for it. */
export interface Example {
  /** 12 hex digits that the cell's key alone decides, so that links stay good. */
  readonly id: string;
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly benchmark: string;
  readonly taskId: string;
  readonly language: string;
  readonly variant: string;
  readonly setting: string;
  readonly repetition: number;
  readonly simulated: boolean;
  /** What ended it, or `survived`; without loops the first outcome that is no pass, or `pass`. */
  readonly result: string;
  /** Null for studies without loops. */
  readonly sustainedLoops: number | null;
  /** In the order they were asked. */
  readonly steps: readonly ExampleStep[];
}

interface ExampleStep {
  readonly loop: number;
  readonly step: string;
  readonly ask: number;
  readonly sample: number;
  readonly answeringModel: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly reply: string;
  readonly replyStatus: string;
  /** Null for steps that ask for no code. */
  readonly extraction: string | null;
  readonly solution: string | null;
  readonly verdicts: readonly ExampleVerdict[];
  /** What a judging model's answer was read as; null for all other steps and where no score could be read. */
  readonly score: number | null;
}

interface ExampleVerdict {
  readonly suite: string;
  readonly outcome: string;
  /** From 0. */
  readonly firstFailingCase: number | null;
  readonly cases: number | null;
  readonly detail: string | null;
}

const mostExamples = 2_000;

/** Longer texts are cut, and say so. */
const mostCharacters = 8_000;

export async function collectExamples(database: RunDatabase, most = mostExamples): Promise<Examples> {
  const chosen = chosenSql(database, most);
  const cells = await records(database, `${chosen} SELECT * FROM chosen ORDER BY turn, lot`);
  const samples = await records(database, `${chosen} ${samplesSql}`);
  const prompts = await records(database, `${chosen} ${promptsSql}`);
  const verdicts = await records(database, `${chosen} ${verdictsSql}`);
  const messagesOf = new Map(prompts.map((row) => [textOf(row, 'prompt_sha256'), messages(row)]));
  const samplesOf = Map.groupBy(samples, cellName);
  const verdictsOf = Map.groupBy(verdicts, sampleName);
  const examples = cells.map((cell) => {
    const steps = (samplesOf.get(cellName(cell)) ?? []).map((row) => stepOf(row, messagesOf, verdictsOf.get(sampleName(row)) ?? []));
    return exampleOf(cell, steps);
  });
  return { examples, of: cells.length === 0 ? 0 : numberOf(cells[0] as Row, 'cells') };
}

function exampleOf(row: Row, steps: readonly ExampleStep[]): Example {
  return {
    id: sha256(cellName(row)).slice(0, 12),
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
    steps,
  };
}

function stepOf(row: Row, messagesOf: ReadonlyMap<string, ExampleStep['messages']>, verdicts: readonly Row[]): ExampleStep {
  return {
    loop: numberOf(row, 'loop'),
    step: textOf(row, 'step'),
    ask: numberOf(row, 'ask'),
    sample: numberOf(row, 'sample'),
    answeringModel: textOf(row, 'answering_model'),
    messages: messagesOf.get(textOrNull(row, 'prompt_sha256') ?? '') ?? [],
    reply: cutText(textOrNull(row, 'reply') ?? '', row['reply_length']),
    replyStatus: textOf(row, 'reply_status'),
    extraction: textOrNull(row, 'extraction'),
    solution: row['solution'] === null ? null : cutText(textOf(row, 'solution'), row['solution_length']),
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
});

/** The messages were written by us as JSON of role and content. */
function messages(row: Row): ExampleStep['messages'] {
  const all = JSON.parse(textOf(row, 'messages')) as { role: string; content: string }[];
  return all.map(({ role, content }) => ({ role, content: cutText(content.slice(0, mostCharacters), content.length) }));
}

/** `text` holds at most the first characters of a text that is `length` long. */
function cutText(text: string, length: Row[string] | undefined): string {
  const cut = Number(length ?? 0) - mostCharacters;
  return cut > 0 ? `${text}\n[cut here: ${cut} more characters are in the run's tables]` : text;
}

const textOrNull = (row: Row, column: string): string | null => (typeof row[column] === 'string' ? row[column] : null);

const keyColumns = tables.loops.key;
const cellName = (row: Row): string => JSON.stringify(keyColumns.map((column) => row[column]));
const sampleName = (row: Row): string => JSON.stringify([...keyColumns, 'loop', 'step', 'sample'].map((column) => row[column]));

const key = keyColumns.join(', ');

/**
 * Cells by lot, a hash of seed and key. Each model's cells of one result take turns: the first of each comes before the second of any, so
 * that rare results are seen however rare they are.
 */
function chosenSql({ manifests }: RunDatabase, most: number): string {
  const seeds = manifests.map(({ runId, spec }) => `WHEN ${quoteText(runId)} THEN ${spec.seed}`).join(' ');
  return `WITH asked AS (SELECT ${key}, bool_or(simulated) AS simulated FROM samples GROUP BY ALL),
  failed AS (SELECT ${key}, min(outcome) FILTER (outcome <> 'pass') AS failure FROM verdicts GROUP BY ALL),
  cells AS (
    SELECT asked.*, sustained_loops,
      coalesce(CASE WHEN ended_by = 'excluded' THEN 'excluded: ' || ended_outcome END, ended_outcome, ended_by, failure, 'pass') AS result,
      md5(concat_ws('|', CASE run ${seeds} END, ${key})) AS lot
    FROM asked LEFT JOIN loops USING (${key}) LEFT JOIN failed USING (${key})
  ),
  turns AS (SELECT *, count(*) OVER () AS cells, row_number() OVER (PARTITION BY run, study, model, result ORDER BY lot) AS turn FROM cells),
  chosen AS (SELECT * FROM turns ORDER BY turn, lot LIMIT ${most})`;
}

const stepOrder = `list_position([${stepNames.map(quoteText).join(', ')}], step)`;

/** Of several equal answers to one question the first. */
const samplesSql = `
  SELECT ${key}, loop, step, ask, sample, answering_model, prompt_sha256, reply_status, extraction, score,
    left(reply, ${mostCharacters}) AS reply, length(reply) AS reply_length,
    left(solution, ${mostCharacters}) AS solution, length(solution) AS solution_length
  FROM samples
  SEMI JOIN chosen USING (${key})
  LEFT JOIN (SELECT ${key}, loop, ask, 'judge' AS step, score FROM judgements) USING (${key}, loop, step, ask)
  QUALIFY row_number() OVER (PARTITION BY ${key}, loop, step, ask, samples.reply ORDER BY sample) = 1
  ORDER BY ${key}, loop, ${stepOrder}, ask, sample`;

const promptsSql = `
  SELECT prompt_sha256, messages FROM prompts
  WHERE prompt_sha256 IN (SELECT prompt_sha256 FROM samples SEMI JOIN chosen USING (${key}))`;

const verdictsSql = `
  SELECT v.*, e.detail, s.n_cases
  FROM (FROM verdicts SEMI JOIN chosen USING (${key})) v
  LEFT JOIN (SELECT execution_id, detail FROM executions) e USING (execution_id)
  LEFT JOIN suites s USING (run, benchmark, task_id, language, suite)
  ORDER BY ${key}, loop, step, sample, suite`;
