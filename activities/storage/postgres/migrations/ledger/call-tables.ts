/**
 * Version 4: a run's plan, its calls from their reservation to their reply, and what stops them. Numbers are unique in
 * the whole store, and what they are the key of is looked up by them alone: an index that begins with the run would be
 * another way to the same row, which a plan that is made while the tables are empty may take, and read the whole run.
 */
export const callTables = `
-- Rarely written, and locked for share by every group of reservations.
create table run_epoch (run int primary key, epoch int not null default 0, owner text not null default '');

-- One row a run, written by every group: locked last. Money in whole 1e-9 USD.
create table run_total (
  run int primary key,
  budget_nano_usd numeric,
  budget_tokens numeric,
  reported_nano_usd numeric not null default 0,
  estimated_nano_usd numeric not null default 0,
  unknown_usd_calls bigint not null default 0,
  spent_tokens numeric not null default 0,
  reserved_nano_usd numeric not null default 0,
  reserved_tokens numeric not null default 0,
  answered bigint not null default 0,
  failed bigint not null default 0,
  lost bigint not null default 0,
  live bigint not null default 0,
  disbelieved bigint not null default 0
) with (fillfactor = 20);

create table lane (
  run int not null,
  id int generated always as identity,
  study text not null,
  model text not null,
  pages int not null default 0,
  sealed int not null default 0,
  failed int not null default 0,
  cells bigint not null default 0,
  cells_done bigint not null default 0,
  primary key (id),
  unique (run, study, model)
) with (fillfactor = 50);

-- What the calls of a lane to one model come to: written by every group, before run_total.
create table lane_spend (
  run int,
  lane int,
  answering_model text,
  samples bigint not null,
  answered bigint not null,
  failed bigint not null,
  lost bigint not null,
  unknown_usd_calls bigint not null,
  thinking_answers bigint not null,
  thinking_tokens numeric not null,
  tokens numeric not null,
  reported_nano_usd numeric not null,
  estimated_nano_usd numeric not null,
  primary key (run, lane, answering_model)
) with (fillfactor = 20);

create table plan_page (
  run int not null,
  id bigint generated always as identity,
  page text collate "C" not null,
  lane int not null,
  cells int not null,
  revision int not null,
  state text not null default 'open',
  cells_done int not null default 0,
  failure text,
  primary key (id),
  unique (run, page)
);
create index open_page on plan_page (lane, id) where state = 'open';
create index page_of_lane on plan_page (lane, id);
create index failed_page on plan_page (run, id) where state = 'failed';

-- opened: the client's number of its newest opening, which is asked for again after a lost answer.
create table unit (
  run int, unit text, epoch int not null, attempt int not null, opened uuid, primary key (run, unit)
);

-- batched: it was in a batch that brought no answer, or is in one.
create table call (
  run int not null,
  id bigint generated always as identity,
  call_key bytea not null,
  batched boolean not null default false,
  primary key (id),
  unique (run, call_key)
);

-- One request. No index has a column that changes when it ends.
create table intent (
  run int not null,
  id bigint,
  -- The client's: whoever asks again after a lost answer finds its own.
  uuid uuid not null,
  page bigint not null,
  cell int not null,
  step text not null,
  loop int not null,
  ask int not null,
  sample int not null,
  -- Those of the sample and the ones after it.
  calls bigint[] not null,
  unit text not null,
  epoch int not null,
  attempt int not null,
  answering_model text not null,
  parameters_sent text not null,
  max_nano_usd bigint not null,
  max_tokens bigint not null,
  estimated_usd double precision,
  estimated_tokens bigint not null,
  free boolean not null,
  state text not null default 'open',
  failure text,
  origin text,
  returned_model text,
  fingerprint text,
  started_at timestamptz not null default clock_timestamp(),
  latency_ms double precision,
  -- What was charged, once it has ended.
  usd double precision,
  nano_usd bigint,
  basis text,
  tokens bigint,
  -- As the program knows it: counts of tokens, date of the price, usage as it was reported.
  facts jsonb,
  primary key (id),
  unique (uuid)
) with (fillfactor = 70);
create sequence intent_number;
create index intent_of_page on intent (page, id);
create index intent_of_run on intent (run, id);
create table failed_intent (run int, intent bigint, primary key (run, intent));

-- Only one live intent at a time asks for a call. Null for the unit: a line of a batch, which no process holds.
create table live_call (run int not null, call bigint primary key, intent bigint not null, unit text);
create index live_unit on live_call (run, unit);

create table reply (
  run int not null, call bigint primary key, intent bigint not null, body bytea not null, sha256 bytea not null
);
create table sample (
  run int not null, page bigint, cell int, step text collate "C", loop int, ask int, sample int, call bigint not null,
  primary key (page, cell, step, loop, ask, sample)
);

-- The newest row of a model counts; null is the whole run.
create table control (
  run int not null,
  id bigint generated always as identity,
  model text,
  reason text,
  detail text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (id)
);
create index control_of_model on control (run, model, id desc);

create table ended_without_reply (run int not null, sent boolean not null, reason text not null, calls bigint not null);
-- A reason may be longer than what an index holds.
create unique index reason_of_end on ended_without_reply (run, sent, md5(reason));
`;
