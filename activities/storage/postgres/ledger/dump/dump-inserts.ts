/** Statements that store rows of a copy: `$1` is the run's number, `$2` the rows as JSON. */

/** A field of the rows, its type there, and the value of the column of that name, if it is another. */
type Field = readonly [name: string, type: string, value?: string];

/** @param columns in place of the fields' own names, where those of the table differ */
function insertOf(table: string, fields: readonly Field[], columns: Readonly<Record<string, string>> = {}): string {
  const names = fields.map(([name]) => columns[name] ?? name);
  const values = fields.map(([name, , value]) => value ?? `given.${name}`);
  const types = fields.map(([name, type]) => `${name} ${type}`);
  return `insert into ${table} (run, ${names.join(', ')}) select $1, ${values.join(', ')}
    from jsonb_to_recordset($2) as given (n int, ${types.join(', ')}) order by n`;
}

const texts = (...names: readonly string[]): Field[] => names.map((name) => [name, 'text']);
const ints = (...names: readonly string[]): Field[] => names.map((name) => [name, 'int']);
const wholes = (...names: readonly string[]): Field[] => names.map((name) => [name, 'bigint']);
const reals = (...names: readonly string[]): Field[] => names.map((name) => [name, 'double precision']);
const bytes = (...names: readonly string[]): Field[] =>
  names.map((name) => [name, 'text', `decode(given.${name}, 'base64')`]);
const yes = (...names: readonly string[]): Field[] => names.map((name) => [name, 'int', `given.${name} = 1`]);
/** Of milliseconds since 1970, exactly. */
const times = (...names: readonly string[]): Field[] =>
  names.map((name) => [name, 'double precision', `timestamptz 'epoch' + given.${name} * interval '1 millisecond'`]);

const asTime = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name.replace(/_ms$/, '')]));

export const laneInsert = `${insertOf('lane', [
  ...texts('study', 'model'),
  ...ints('pages', 'sealed', 'failed'),
  ...wholes('cells', 'cells_done'),
])} returning id::float8 as id, study || chr(10) || model as name`;

export const laneSpendInsert = insertOf('lane_spend', [
  ...ints('lane'),
  ...texts('answering_model'),
  ...wholes('samples', 'answered', 'failed', 'lost', 'unknown_usd_calls', 'thinking_answers'),
  ...wholes('thinking_tokens', 'tokens', 'reported_nano_usd', 'estimated_nano_usd'),
]);

export const pageInsert = `${insertOf('plan_page', [
  ...texts('page'),
  ...ints('lane', 'cells', 'revision'),
  ...texts('state', 'failure'),
  ...ints('cells_done'),
])} returning id::float8 as id, page as name`;

export const callInsert = `${insertOf('call', [...bytes('call_key'), ...yes('batched')])}
  returning id::float8 as id, encode(call_key, 'base64') as name`;

export const batchInsert = `${insertOf(
  'batch',
  [
    ['uuid', 'uuid'],
    ...texts('answering_model', 'state', 'file', 'endpoint_id', 'fault', 'end_reason'),
    ...ints('requests', 'answered', 'short_reads'),
    ...times('made_at_ms', 'created_at_ms', 'ended_at_ms'),
    ...yes('upload_asked', 'cancelled'),
    ...reals('create_asked_ms'),
  ],
  asTime('made_at_ms', 'created_at_ms', 'ended_at_ms'),
)} returning id::float8 as id, uuid::text as name`;

const requestFields: readonly Field[] = [
  ...wholes('id', 'page'),
  ...ints('cell', 'loop', 'ask', 'sample', 'epoch', 'attempt'),
  ['calls', 'bigint[]'],
  ...texts('step', 'unit', 'answering_model', 'parameters_sent', 'state', 'failure', 'origin', 'returned_model'),
  ...texts('fingerprint', 'basis'),
  ...wholes('max_nano_usd', 'max_tokens', 'estimated_tokens', 'nano_usd', 'tokens'),
  ...reals('estimated_usd', 'latency_ms', 'usd'),
  ...yes('free'),
  ...times('started_at_ms'),
  ['facts', 'jsonb'],
  ['uuid', 'uuid'],
];

/** A request, and what else tells of one that failed, is live, or is or was a line of a batch. */
export const intentInserts: readonly string[] = [
  insertOf('intent', requestFields, asTime('started_at_ms')),
  `insert into failed_intent select $1, id from jsonb_to_recordset($2) as given (id bigint, state text)
    where state = 'failed'`,
  `insert into live_call select $1, asked, id, case when state = 'batched' then null else unit end
    from jsonb_to_recordset($2) as given (id bigint, state text, unit text, live int, calls bigint[]),
    unnest(calls) as asked where live = 1`,
  `insert into batch_line select $1, id, page, unit, answering_model,
      timestamptz 'epoch' + started_at_ms * interval '1 millisecond', batch
    from jsonb_to_recordset($2) as given (id bigint, page bigint, unit text, answering_model text,
      started_at_ms double precision, batch bigint, state text) where state = 'batched'`,
  `insert into batch_page select distinct $1::int, answering_model, page
    from jsonb_to_recordset($2) as given (answering_model text, page bigint, batch bigint) where batch is not null
    on conflict do nothing`,
];

export const replyInsert = insertOf('reply', [...wholes('call', 'intent'), ...bytes('body', 'sha256')]);

export const sampleInsert = insertOf('sample', [
  ...wholes('page', 'call'),
  ...ints('cell', 'loop', 'ask', 'sample'),
  ...texts('step'),
]);

export const verdictInserts: readonly string[] = [
  `insert into verdict_shared (run, sha256, json)
    select distinct $1::int, sha256(convert_to(shared, 'UTF8')), shared
    from jsonb_to_recordset($2) as given (shared text)
    on conflict do nothing`,
  insertOf(
    'verdict',
    [
      ...bytes('execution_key', 'body', 'sha256'),
      [
        'shared',
        'text',
        `(select id from verdict_shared where verdict_shared.run = $1
          and verdict_shared.sha256 = sha256(convert_to(given.shared, 'UTF8')))`,
      ],
    ],
    {},
  ),
];

export const referenceInsert = insertOf('reference', bytes('reference_key', 'body', 'sha256'));
export const factInsert = insertOf('fact', texts('name', 'json'));
export const unitInsert = insertOf('unit', [...texts('unit'), ...ints('epoch', 'attempt')]);
export const partInsert = insertOf('part', [
  ...texts('path', 'table_name', 'page', 'sha256'),
  ...wholes('row_count', 'bytes'),
  ...ints('schema_version', 'revision'),
]);
export const mergedPageInsert = insertOf('merged_page', [
  ...texts('path', 'page'),
  ...ints('place'),
  ...wholes('row_count'),
]);
export const controlInsert = insertOf(
  'control',
  [...texts('model', 'reason', 'detail'), ...times('at_ms')],
  asTime('at_ms'),
);
export const endedInsert = insertOf('ended_without_reply', [...yes('sent'), ...texts('reason'), ...wholes('calls')]);
export const pageAnswersInsert = insertOf('page_answers', [
  ...wholes('page', 'answers', 'samples'),
  ...texts('step', 'answering_model'),
  ...reals('tokens', 'usd'),
]);

const totals = [
  ...['budget_nano_usd', 'budget_tokens', 'reported_nano_usd', 'estimated_nano_usd', 'unknown_usd_calls'],
  ...['spent_tokens', 'reserved_nano_usd', 'reserved_tokens', 'answered', 'failed', 'lost', 'live', 'disbelieved'],
];

/** The rows of a run itself are there. */
export const totalUpdates: readonly string[] = [
  `update run_epoch set epoch = given.epoch, owner = coalesce(given.owner, '')
    from jsonb_to_recordset($2) as given (epoch int, owner text) where run = $1`,
  `update run_total set ${totals.map((name) => `${name} = given.${name}`).join(', ')}
    from jsonb_to_recordset($2) as given (${totals.map((name) => `${name} numeric`).join(', ')}) where run = $1`,
  `update result_total set verdicts = given.verdicts, reference_runs = given.reference_runs
    from jsonb_to_recordset($2) as given (verdicts bigint, reference_runs bigint) where run = $1`,
];
