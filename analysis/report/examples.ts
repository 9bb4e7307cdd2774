/** Cells to read in full, with prompts, replies, code and verdicts: flips first, spread over models and results. */
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import { stepNames } from '../../schemas/states.ts';
import type { Row } from '../../schemas/tables.ts';
import { cellKeyNames } from '../../schemas/tables/keys.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { quoteText } from '../views.ts';
import { type FlipKind, flipsOf } from './examples/cells-sql.ts';
import { chooseCells, findCell } from './examples/choose-cells.ts';
import { visibleJson } from './html.ts';

export interface Examples {
  /** In the order drawn: flips first, and the first n are spread over models and results for every n. */
  readonly examples: readonly Example[];
  /** Number of cells that they were drawn from. */
  readonly of: number;
  /** Of these, cells that flip. */
  readonly flips: number;
}

/** One cell of a study with everything that was asked and answered for it. */
export interface Example extends ExampleEntry {
  /** In the order they were asked. */
  readonly steps: readonly ExampleStep[];
}

/** What lists of examples show. */
export interface ExampleEntry {
  /** 12 hex digits of a hash of the cell's key, so that links stay valid. */
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
  /** What ended the loops, or `survived`; without loops the alphabetically first failing outcome, or `pass`. */
  readonly result: string;
  /** Null for studies without loops. */
  readonly sustainedLoops: number | null;
  /** Answers of the first loop that passed, of those that count. Null if none was judged. */
  readonly passed: number | null;
  readonly judged: number | null;
  readonly flips: readonly FlipKind[];
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
  /** The score read from a judge's answer; null for other steps and for answers without a score. */
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

/** Longer texts are cut, with a remark. */
const mostCharacters = 8_000;

export async function collectExamples(database: RunDatabase, most = mostExamples): Promise<Examples> {
  const { cells, of, flips } = await chooseCells(database, most);
  return { examples: await readExamples(database, cells), of, flips };
}

/**
 * One example as JSON, for a page that fetches its examples: an `Example`, and in `others` the entries of all other
 * cells of its task. Null if the database has no such cell.
 */
export async function exampleDocument(database: RunDatabase, id: string): Promise<string | null> {
  const found = await findCell(database, id);
  if (found === null) return null;
  const [example] = await readExamples(database, [found.cell]);
  return visibleJson({ ...example, others: found.others.map(entryOf) });
}

async function readExamples(database: RunDatabase, cells: readonly Row[]): Promise<Example[]> {
  if (cells.length === 0) return [];
  const chosen = chosenSql(cells);
  const samples = await records(database, `${chosen} ${samplesSql}`);
  const prompts = await records(database, `${chosen} ${promptsSql}`);
  const verdicts = await records(database, `${chosen} ${verdictsSql}`);
  const messagesOf = new Map(prompts.map((row) => [textOf(row, 'prompt_sha256'), messages(row)]));
  const samplesOf = Map.groupBy(samples, cellName);
  const verdictsOf = Map.groupBy(verdicts, sampleName);
  return cells.map((cell) => {
    const steps = (samplesOf.get(cellName(cell)) ?? []).map((row) =>
      stepOf(row, messagesOf, verdictsOf.get(sampleName(row)) ?? []),
    );
    return { ...entryOf(cell), steps };
  });
}

const entryOf = (row: Row): ExampleEntry => ({
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

function stepOf(
  row: Row,
  messagesOf: ReadonlyMap<string, ExampleStep['messages']>,
  verdicts: readonly Row[],
): ExampleStep {
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

/** Column `messages` is JSON that evenkeel wrote: a list of role and content. */
function messages(row: Row): ExampleStep['messages'] {
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

/** The first of several equal answers to one question. */
const samplesSql = `
  SELECT ${key}, loop, step, ask, sample, answering_model, prompt_sha256, reply_status, extraction, score,
    left(reply, ${mostCharacters}) AS reply, length(reply) AS reply_length,
    left(solution, ${mostCharacters}) AS solution, length(solution) AS solution_length
  FROM samples
  SEMI JOIN chosen USING (${key})
  LEFT JOIN (SELECT ${key}, loop, ask, coalesce(sample, 0) AS sample, 'judge' AS step, score FROM judgements)
    USING (${key}, loop, step, ask, sample)
  QUALIFY row_number() OVER (PARTITION BY ${key}, loop, step, ask, answering_model, samples.reply ORDER BY sample) = 1
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
