/** The SELECT behind table `answers`: each sample with its verdict, its call, its prompt and the facts of its cell. */
import { excludedList } from '../excluded-list.ts';
import { answersTable } from '../../schemas/tables/answers.ts';
import { cellKeyNames } from '../../schemas/tables/keys.ts';
import { answerAddressSql } from '../explain/cell-id-sql.ts';
import { duckdbTypes } from '../views.ts';

const cell = cellKeyNames.join(', ');
const asked = `${cell}, loop, step, ask`;

/** Of several suites the first real failure, else the first excluded one, else the first. */
const judged = `
  SELECT ${cell}, loop, step, sample,
    arg_min(
      struct_pack(outcome := outcome, suite := suite, execution_id := execution_id,
        first_failing_case := first_failing_case),
      CASE WHEN outcome = 'pass' THEN '2' WHEN outcome IN (${excludedList}) THEN '1' ELSE '0' END || suite) AS worst
  FROM verdicts GROUP BY ALL`;

/** A call for several answers is stored under the key of its first; the others are found by their place. */
const callsOfAnswers = `
  SELECT run, call_key, call, usd / n AS usd, latency_ms, used FROM calls
  UNION ALL
  SELECT run, s.call_key, c.call, c.usd / c.n, c.latency_ms, c.used
  FROM calls c JOIN (SELECT ${asked}, sample AS draw, call_key FROM samples WHERE sample > 0) s
    USING (${asked})
  WHERE c.n > 1 AND draw > c.sample AND draw < c.sample + c.n`;

/**
 * By answer, what its calls cost and how long the one that brought it took. Only those of several calls are sorted:
 * sums in their order took three times the processor time for all.
 */
const paid = `
  WITH each AS MATERIALIZED (${callsOfAnswers}),
  several AS MATERIALIZED (SELECT run, call_key FROM each GROUP BY ALL HAVING count(*) > 1)
  SELECT run, call_key, usd, CASE WHEN used THEN latency_ms END AS latency_ms
  FROM each ANTI JOIN several USING (run, call_key)
  UNION ALL
  SELECT run, call_key, sum(usd ORDER BY call), arg_min(latency_ms, call) FILTER (used)
  FROM each SEMI JOIN several USING (run, call_key) GROUP BY run, call_key`;

/** SQL of a value that `e.detail`, the detail of a verdict on a wrong output, names: 1 expected, 2 got; else null. */
export function comparedSql(place: 1 | 2): string {
  return `nullif(regexp_extract(e.detail, '^expected (.*?), got (.*)$', ${place}, 's'), '')`;
}

/** Calls whose answer several samples share. */
const sharers = 'SELECT run, call_key, count(*) AS rows FROM samples GROUP BY ALL HAVING count(*) > 1';

const equal = (to: string, columns: readonly string[]): string =>
  columns.map((name) => `${to}.${name} = s.${name}`).join(' AND ');

const keys = (other: string, columns: readonly string[]): string => `${other} ON ${equal(other, columns)}`;

/** What a column may need besides `samples`, in the order of the joins. */
const joins = {
  kinds: `LEFT JOIN ${keys('kinds', ['run', 'study'])}`,
  cells: `LEFT JOIN ${keys('cells', cellKeyNames)}`,
  judged: `LEFT JOIN ${keys('judged', [...cellKeyNames, 'loop', 'step', 'sample'])}`,
  executions: 'LEFT JOIN executions e ON e.run = s.run AND e.execution_id = judged.worst.execution_id',
  prompts: 'LEFT JOIN prompts p ON p.run = s.run AND p.prompt_sha256 = s.prompt_sha256',
  paid: `LEFT JOIN ${keys('paid', ['run', 'call_key'])}`,
  sharers: `LEFT JOIN ${keys('sharers', ['run', 'call_key'])}`,
} as const;
type Join = keyof typeof joins;

interface Value {
  readonly sql: string;
  readonly joins: readonly Join[];
}

const own = (column: string): Value => ({ sql: `s.${column}`, joins: [] });
const from = (joined: Join | readonly Join[], sql: string): Value => ({ sql, joins: [joined].flat() });
const execution = (sql: string): Value => from(['judged', 'executions'], sql);

type Values = Readonly<Record<keyof typeof answersTable.columns, Value>>;

/** Where the outcome of an answer is: SQL of its parts, and what they need. */
interface Verdict extends Record<'outcome' | 'suite' | 'failingCase', string> {
  readonly joins: readonly Join[];
}

const joinedVerdict: Verdict = {
  outcome: 'judged.worst.outcome',
  suite: 'judged.worst.suite',
  failingCase: 'judged.worst.first_failing_case',
  joins: ['judged'],
};
const storedVerdict: Verdict = {
  outcome: 's.answer_outcome',
  suite: 's.answer_suite',
  failingCase: 's.answer_case',
  joins: [],
};

const verdictValues = ({ outcome, suite, failingCase, joins }: Verdict) => ({
  outcome: from(joins, outcome),
  passed: from(joins, `${outcome} = 'pass'`),
  counted: from(
    ['cells', ...joins],
    `${outcome} IS NOT NULL AND ${outcome} NOT IN (${excludedList})
    AND coalesce(cells.counts AND coalesce(cells.answer_step, s.step) = s.step, false)`,
  ),
  failing_suite: from(joins, `CASE WHEN ${outcome} <> 'pass' THEN ${suite} END`),
  failing_case: from(joins, failingCase),
});

const joinedCosts = {
  usd: from(['paid', 'sharers'], 'paid.usd / coalesce(sharers.rows, 1)'),
  latency_ms: from('paid', 'paid.latency_ms'),
};
const storedCosts = { usd: own('answer_usd'), latency_ms: own('answer_ms') };

const valuesOf = ({ areJudged = false, areAlone = false }: AnswersFacts): Values => {
  const judgement = verdictValues(areJudged ? storedVerdict : joinedVerdict);
  const costs = areAlone ? storedCosts : joinedCosts;
  return {
    run: own('run'),
    study: own('study'),
    kind: from('kinds', 'kinds.kind'),
    model: own('model'),
    benchmark: own('benchmark'),
    task_id: own('task_id'),
    language: own('language'),
    variant: own('variant'),
    detail: from('cells', `coalesce(cells.detail, 'original')`),
    phrasing: from('cells', `coalesce(cells.phrasing, 'original')`),
    setting: own('setting'),
    repetition: own('repetition'),
    loop: own('loop'),
    step: own('step'),
    sample: own('sample'),
    ask: own('ask'),
    answering_model: own('answering_model'),
    effort: own('effort'),
    prompt: from('prompts', `array_to_string(p.messages ->> '$[*].content', chr(10) || chr(10))`),
    reply_status: own('reply_status'),
    code: own('solution'),
    ...judgement,
    failing_input: execution('e.failing_input'),
    expected: execution(comparedSql(1)),
    got: execution(`CASE WHEN e.outcome = 'exception' THEN e.detail ELSE ${comparedSql(2)} END`),
    ...costs,
    request_id: own('request_id'),
    simulated: own('simulated'),
    address: from([], answerAddressSql('s.')),
  };
};

/** What `factsSql` says of the samples. */
interface AnswersFacts {
  /** All have their outcomes. */
  readonly areJudged?: boolean;
  /** All have their costs and times. */
  readonly areAlone?: boolean;
}

/** By what is known of all samples: the columns for which that matters, and what a sample has if it is so. */
const knownBy: Readonly<Record<keyof AnswersFacts, { readonly columns: readonly string[]; readonly has: string }>> = {
  areJudged: { columns: Object.keys(verdictValues(storedVerdict)), has: 'answer_suites' },
  areAlone: { columns: Object.keys(storedCosts), has: 'answer_calls' },
};

/**
 * A SELECT of those `AnswersFacts` that matter for these columns of `answers`, or null. Files without a null are not
 * read: their statistics say so.
 */
export function factsSql(columns: ReadonlySet<string> | null): string | null {
  const known = Object.entries(knownBy).filter(
    ([, { columns: own }]) => columns === null || !columns.isDisjointFrom(new Set(own)),
  );
  const selected = known.map(([name, { has }]) => `NOT EXISTS (FROM samples WHERE ${has} IS NULL) AS ${name}`);
  return selected.length === 0 ? null : `SELECT ${selected.join(', ')}`;
}

/**
 * @param kinds a SELECT of run, study and kind
 * @param cells a SELECT of a cell's key, kind, detail, phrasing, counts, answer_step; a row per cell
 * @param columns those that must have their values; others may be null, so that their tables are not read
 * @param facts what is known of the samples
 */
export function answersSql(
  kinds: string,
  cells: string,
  columns: ReadonlySet<string> | null = null,
  facts: AnswersFacts = {},
): string {
  const all = Object.entries(valuesOf(facts));
  const wanted = all.filter(([name]) => columns === null || columns.has(name));
  const needed = new Set(wanted.flatMap(([, value]) => value.joins));
  const tables: Partial<Record<Join, string>> = { kinds, cells, judged, paid, sharers };
  const named = Object.entries(tables).filter(([name]) => needed.has(name as Join));
  const known = new Set(wanted.map(([name]) => name));
  const selected = all.map(([name, { sql }]) => `${known.has(name) ? sql : nullOf(name)} AS ${name}`);
  return [
    ...(named.length === 0 ? [] : [`WITH ${named.map(([name, sql]) => `${name} AS (${sql})`).join(', ')}`]),
    `SELECT ${selected.join(', ')} FROM samples s`,
    ...Object.entries(joins).flatMap(([name, sql]) => (needed.has(name as Join) ? [sql] : [])),
  ].join('\n');
}

const nullOf = (column: string): string =>
  `CAST(NULL AS ${duckdbTypes[answersTable.columns[column as keyof typeof answersTable.columns].type]})`;
