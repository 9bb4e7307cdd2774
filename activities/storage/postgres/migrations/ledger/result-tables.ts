/** Version 4 as well: verdicts, facts, parts, batches, and the sums of sealed pages. */
export const resultTables = `
-- What many verdicts share: tier, lane, engine, image and limits, as JSON.
create table verdict_shared (
  run int not null,
  id int generated always as identity,
  sha256 bytea not null,
  json text not null,
  primary key (id),
  unique (run, sha256)
);
create table verdict (
  run int, execution_key bytea, shared int not null, body bytea not null, sha256 bytea not null,
  primary key (run, execution_key)
);
create table reference (
  run int, reference_key bytea, body bytea not null, sha256 bytea not null, primary key (run, reference_key)
);
create table fact (run int, name text collate "C", json text not null, primary key (run, name));
-- Apart from run_total, so that verdicts and calls do not wait for each other.
create table result_total (
  run int primary key, verdicts bigint not null default 0, reference_runs bigint not null default 0
) with (fillfactor = 20);

create table part (
  run int,
  path text collate "C",
  table_name text not null,
  page text collate "C" not null,
  row_count bigint not null,
  bytes bigint not null,
  sha256 text not null,
  schema_version int not null,
  revision int not null,
  primary key (run, path)
);
create index part_of_page on part (run, page);
-- The pages whose rows a merged part holds, in that order; and parts whose rows another part holds now.
create table merged_page (
  run int, path text collate "C", place int, page text collate "C" not null, row_count bigint not null,
  primary key (run, path, place)
);
create index merged_part on merged_page (run, page);
create table spent_part (run int, path text collate "C", primary key (run, path));

-- Asked and created: set before the request is sent, so that whoever finds them knows to look for its result.
create table batch (
  run int,
  id bigint generated always as identity,
  uuid uuid not null,
  answering_model text not null,
  state text not null default 'made',
  requests int not null default 0,
  answered int not null default 0,
  made_at timestamptz not null default clock_timestamp(),
  upload_asked boolean not null default false,
  file text,
  create_asked_ms double precision,
  endpoint_id text,
  created_at timestamptz,
  cancelled boolean not null default false,
  short_reads int not null default 0,
  fault text,
  ended_at timestamptz,
  end_reason text,
  primary key (run, id),
  unique (run, uuid)
);
create index open_batch on batch (run, answering_model) where state <> 'ended';
create index ended_batch on batch (run, answering_model, id) where state = 'ended';

-- Intents that wait for a batch (null) or in one.
create table batch_line (
  run int not null,
  intent bigint,
  page bigint not null,
  unit text not null,
  answering_model text not null,
  started_at timestamptz not null,
  batch bigint,
  primary key (intent)
);
create index waiting_line on batch_line (run, answering_model, batch, intent);
create index line_of_unit on batch_line (run, unit);
create index line_of_page on batch_line (page);
-- Pages that have asked a model in batches.
create table batch_page (run int, answering_model text, page bigint, primary key (run, answering_model, page));

-- Stored answers of each sealed page.
create table page_answers (
  run int,
  page bigint,
  step text collate "C",
  answering_model text collate "C",
  answers bigint not null,
  samples bigint not null,
  tokens double precision not null,
  usd double precision not null,
  primary key (run, page, step, answering_model)
);

-- The lock of a run's manifest, which its session holds.
create function manifest_lock(of_run int) returns bigint language sql stable as $$
  select hashtextextended('evenkeel manifest of ' || current_schema() || '/' || of_run, 0)
$$;
`;
