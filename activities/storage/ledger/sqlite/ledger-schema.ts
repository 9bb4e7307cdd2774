import { stepsOfPages } from './sums/steps-sql.ts';

/** The ledger's tables. Totals count money in whole 1e-9 USD, so that reserved and released amounts add up exactly. */
export const ledgerFormat = 5;

/**
 * The calls that an intent asks for: that of sample `intent.sample` and those of the following samples. Only one live
 * intent at a time asks for a call.
 */
const askedTable = `
create table asked (
  intent integer not null,
  place integer not null,
  call integer not null,
  live integer not null,
  primary key (intent, place)
) without rowid;
create unique index live_call on asked (call) where live = 1;`;

/** What many verdicts share: tier, lane, engine, image and limits, as JSON. */
const sharedTable = 'create table verdict_shared (id integer primary key, json text not null unique);';

/** The pages whose rows a merged part holds, in that order; and parts whose rows another part holds now. */
const mergedTables = `
create table merged_page (
  path text not null,
  place integer not null,
  page text not null,
  row_count integer not null,
  primary key (path, place)
) without rowid;
create index merged_part on merged_page (page);
create table spent_part (path text primary key) without rowid;`;

/**
 * Batches of requests at endpoints, and the lines of each: intents in state `batched`, which belong to no batch until
 * one is made of them. `upload_asked` and `create_asked_ms` are set before the request is sent, so that whoever finds
 * them knows to look for its result.
 */
const batchTable = `
create table batch (
  id integer primary key,
  uuid text not null unique,
  answering_model text not null,
  state text not null default 'made',
  requests integer not null default 0,
  answered integer not null default 0,
  made_at_ms integer not null,
  upload_asked integer not null default 0,
  file text,
  create_asked_ms integer,
  endpoint_id text,
  created_at_ms integer,
  cancelled integer not null default 0,
  short_reads integer not null default 0,
  fault text,
  ended_at_ms integer,
  end_reason text
);
create index open_batch on batch (answering_model) where state != 'ended';
create index batched_intent on intent (answering_model, batch) where state = 'batched';
create index batched_unit on intent (unit) where state = 'batched';`;

/**
 * Sums that would take longer and longer to make: of ended calls by lane and answering model, and of the answers of
 * each sealed page. Failed calls and the pages of a lane are looked for by index.
 */
const sumTables = `
create table lane_spend (
  lane integer not null,
  answering_model text not null,
  answered integer not null,
  failed integer not null,
  lost integer not null,
  unknown_usd_calls integer not null,
  thinking_answers integer not null,
  thinking_tokens integer not null,
  tokens integer not null,
  reported_nano_usd integer not null,
  estimated_nano_usd integer not null,
  primary key (lane, answering_model)
) without rowid;
create table page_answers (
  page integer not null,
  step text not null,
  answering_model text not null,
  answers integer not null,
  samples integer not null,
  tokens real not null,
  usd real not null,
  primary key (page, step, answering_model)
) without rowid;
create index failed_intent on intent (id) where state = 'failed';
create index page_of_lane on page (lane);`;

export const ledgerTables = `
create table meta (name text primary key, value text not null) without rowid;
insert into meta values ('format', '${ledgerFormat}');

-- One row: what every reservation reads and writes, so that nothing is summed while calls wait.
create table run (
  id integer primary key check (id = 1),
  epoch integer not null default 0,
  owner text,
  budget_nano_usd integer,
  budget_tokens integer,
  reported_nano_usd integer not null default 0,
  estimated_nano_usd integer not null default 0,
  unknown_usd_calls integer not null default 0,
  spent_tokens integer not null default 0,
  reserved_nano_usd integer not null default 0,
  reserved_tokens integer not null default 0,
  answered integer not null default 0,
  failed integer not null default 0,
  lost integer not null default 0,
  live integer not null default 0,
  verdicts integer not null default 0,
  disbelieved integer not null default 0
);
insert into run (id) values (1);

create table lane (
  id integer primary key,
  study text not null,
  model text not null,
  pages integer not null default 0,
  sealed integer not null default 0,
  failed integer not null default 0,
  cells integer not null default 0,
  cells_done integer not null default 0,
  answered integer not null default 0,
  unique (study, model)
);
create table page (
  id integer primary key,
  page text not null unique,
  lane integer not null,
  cells integer not null,
  revision integer not null,
  state text not null default 'open',
  cells_done integer not null default 0,
  failure text
);
create index failed_page on page (id) where state = 'failed';
create table unit (id integer primary key, unit text not null unique, epoch integer not null, attempt integer not null);

-- Random keys stand in this one index only; everything else refers to a call by its small number.
-- batched: it was in a batch that brought no answer, or is in one.
create table call (id integer primary key, call_key blob not null unique, batched integer not null default 0);
create table reply (call integer primary key, intent integer not null, body blob not null, sha256 blob not null);
create table intent (
  id integer primary key,
  page integer not null,
  cell integer not null,
  step text not null,
  loop integer not null,
  ask integer not null,
  sample integer not null,
  unit integer not null,
  epoch integer not null,
  attempt integer not null,
  answering_model text not null,
  parameters_sent text not null,
  max_nano_usd integer not null,
  max_tokens integer not null,
  estimated_usd real,
  estimated_tokens integer not null,
  free integer not null,
  state text not null default 'open',
  origin text,
  returned_model text,
  fingerprint text,
  failure text,
  started_at_ms integer not null,
  latency_ms real,
  batch integer
);
create index open_intent on intent (unit) where state = 'open';
create index intent_of_page on intent (page);
${askedTable}
${batchTable}
create table charge (
  intent integer primary key,
  input_tokens integer,
  cached_tokens integer,
  output_tokens integer,
  reasoning_tokens integer,
  usd real,
  basis text not null,
  price_date text,
  tokens integer not null,
  cache_write_tokens integer,
  input_audio_tokens integer,
  output_audio_tokens integer,
  usage_reported text
);
create table failure_reason (reason text primary key, calls integer not null) without rowid;
create table unsent_reason (reason text primary key, attempts integer not null) without rowid;
create table sample (
  page integer not null,
  cell integer not null,
  step text not null,
  loop integer not null,
  ask integer not null,
  sample integer not null,
  call integer not null,
  primary key (page, cell, step, loop, ask, sample)
) without rowid;

${sharedTable}
create table verdict (id integer primary key, execution_key blob not null unique, body blob not null,
  sha256 blob not null, shared integer);
create table reference (id integer primary key, reference_key blob not null unique, body blob not null,
  sha256 blob not null);
create table fact (name text primary key, json text not null) without rowid;
create table part (
  path text primary key,
  table_name text not null,
  page text not null,
  row_count integer not null,
  bytes integer not null,
  sha256 text not null,
  schema_version integer not null,
  revision integer not null
) without rowid;
create index part_of_page on part (page);
${mergedTables}
create table control (id integer primary key, model text, reason text, detail text not null, at_ms integer not null);
create index control_of_model on control (model);
${sumTables}
`;

/**
 * Up to format 2 any usage was accepted, and totals could exceed what a number holds. Usage far beyond the reserved
 * maximum of its request (a character is at most 4 bytes, and was counted as a quarter of a token) is replaced by that
 * maximum, and stored as it was reported.
 */
export const impossibleUsage = "basis <> 'estimated' and tokens > 16 * max_tokens + 65536";
const boundedCharges = `
create temp table absurd as select charge.intent as intent, max_tokens, max_nano_usd from charge join intent
  on intent.id = charge.intent
  where ${impossibleUsage};
update charge set
  usage_reported = json_object('input_tokens', input_tokens, 'cached_tokens', cached_tokens, 'output_tokens',
    output_tokens,
    'reasoning_tokens', reasoning_tokens),
  input_tokens = null, cached_tokens = null, output_tokens = null, reasoning_tokens = null,
  tokens = (select max_tokens from absurd where absurd.intent = charge.intent),
  usd = case when usd is null then null else (select max_nano_usd from absurd
    where absurd.intent = charge.intent) / 1e9 end
  where intent in (select intent from absurd);
update run set
  disbelieved = (select count(*) from absurd),
  reported_nano_usd = (select coalesce(sum(cast(round(usd * 1e9) as integer)), 0) from charge
    where basis <> 'estimated'),
  estimated_nano_usd = (select coalesce(sum(cast(round(usd * 1e9) as integer)), 0) from charge
    where basis = 'estimated'),
  spent_tokens = (select coalesce(sum(tokens), 0) from charge)
  where exists (select 1 from absurd);
drop table absurd;`;

/** Statements that upgrade a ledger: the first from format 1 to 2, and so on. */
export const ledgerUpgrades: readonly string[] = [
  `${askedTable}
insert into asked (intent, place, call, live) select id, 0, call, state = 'open' from intent;
drop index live_intent;
alter table intent drop column call;
update meta set value = '2' where name = 'format';
`,
  `alter table run add column disbelieved integer not null default 0;
alter table charge add column cache_write_tokens integer;
alter table charge add column input_audio_tokens integer;
alter table charge add column output_audio_tokens integer;
alter table charge add column usage_reported text;
create table unsent_reason (reason text primary key, attempts integer not null) without rowid;
${boundedCharges}
update meta set value = '3' where name = 'format';
`,
  // Replies and verdicts that are there stay as they are: both forms are read.
  `${sharedTable}
alter table verdict add column shared integer;
create index part_of_page on part (page);
${mergedTables}
alter table intent add column batch integer;
alter table call add column batched integer not null default 0;
${batchTable}
update meta set value = '4' where name = 'format';
`,
  `${sumTables}
insert into lane_spend
  select page.lane, answering_model, sum(intent.state = 'answered'), sum(intent.state = 'failed'),
    sum(intent.state = 'lost'), sum(usd is null), coalesce(sum(replies), 0),
    coalesce(sum(case when replies > 0 then reasoning_tokens end), 0), sum(charge.tokens),
    coalesce(sum(case when basis <> 'estimated' then cast(round(usd * 1e9) as integer) end), 0),
    coalesce(sum(case when basis = 'estimated' then cast(round(usd * 1e9) as integer) end), 0)
  from charge join intent on intent.id = charge.intent join page on page.id = intent.page
  left join (
    select asked.intent as thinker, count(*) as replies from asked join reply on reply.call = asked.call
      and reply.intent = asked.intent group by asked.intent
  ) on thinker = intent.id and intent.state = 'answered' and intent.origin is null and reasoning_tokens is not null
  group by page.lane, answering_model;
insert into page_answers ${stepsOfPages("in (select id from page where state = 'sealed')")};
update meta set value = '5' where name = 'format';
`,
];
