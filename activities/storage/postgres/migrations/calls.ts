/** Version 3: the calls of runs, from their reservation to their reply, and what stops them. */
export const callTables = `
alter table run add column number int generated always as identity unique;

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
  live bigint not null default 0
) with (fillfactor = 20);

create table plan_page (
  id bigint generated always as identity primary key,
  run int not null,
  page text not null,
  study text not null,
  model text not null,
  cells int not null,
  revision int not null,
  state text not null default 'open',
  unique (run, page)
);
create table unit (run int, unit text, epoch int not null, attempt int not null, primary key (run, unit));
create table call (
  id bigint generated always as identity primary key,
  run int not null,
  call_key bytea not null,
  unique (run, call_key)
);
create table intent (
  id bigint primary key,
  run int not null,
  -- The client's: whoever asks again after a lost answer finds its own.
  uuid uuid not null,
  page bigint not null,
  cell int not null,
  step text not null,
  loop int not null,
  ask int not null,
  sample int not null,
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
  unique (run, uuid)
) with (fillfactor = 70);
create sequence intent_number;
create index open_intent on intent (run, unit) where state = 'open';
create table asked (intent bigint, place int, call bigint not null, primary key (intent, place));
-- Only one live intent at a time asks for a call.
create table live_call (call bigint primary key, intent bigint not null);
create index live_of_intent on live_call (intent);
create table reply (call bigint primary key, intent bigint not null, body bytea not null, sha256 bytea not null);
create table sample (
  page bigint, cell int, step text, loop int, ask int, sample int, call bigint not null,
  primary key (page, cell, step, loop, ask, sample)
);
create table charge (
  intent bigint primary key,
  usd double precision,
  nano_usd bigint,
  basis text not null,
  tokens bigint not null,
  -- As the program knows it: counts of tokens, date of the price, usage as it was reported.
  facts jsonb not null
);
create table control (
  id bigint generated always as identity primary key,
  run int not null,
  model text,
  reason text,
  detail text not null,
  at timestamptz not null default clock_timestamp()
);
create index control_of_model on control (run, model, id desc);
create table ended_without_reply (
  run int, sent boolean, reason text, calls bigint not null, primary key (run, sent, reason)
);

-- Ends a reservation or takes an estimate back, and charges what was paid, if the intent has an end (not for one that
-- was never sent). Returns what this adds to the totals, which are written once a group.
create function settled(
  ended intent, end_state text, replies int, paid_usd double precision, paid_nano bigint, paid_basis text,
  paid_tokens bigint, paid_facts jsonb
) returns run_total language plpgsql as $$
declare
  delta run_total := (ended.run, null, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  old charge;
begin
  if ended.state = 'open' then
    delete from live_call where intent = ended.id;
    delta.live := -1;
    delta.reserved_nano_usd := -ended.max_nano_usd;
    delta.reserved_tokens := -ended.max_tokens;
  else
    delete from charge where intent = ended.id returning * into old;
    delta.lost := -1;
    delta.spent_tokens := -old.tokens;
    delta.unknown_usd_calls := -(old.nano_usd is null)::int;
    delta.estimated_nano_usd := case when old.basis = 'estimated' then -coalesce(old.nano_usd, 0) else 0 end;
    delta.reported_nano_usd := case when old.basis = 'estimated' then 0 else -coalesce(old.nano_usd, 0) end;
  end if;
  if end_state is null then
    return delta;
  end if;
  insert into charge values (ended.id, paid_usd, paid_nano, paid_basis, paid_tokens, paid_facts);
  delta.spent_tokens := delta.spent_tokens + paid_tokens;
  delta.unknown_usd_calls := delta.unknown_usd_calls + (paid_nano is null)::int;
  if paid_basis = 'estimated' then
    delta.estimated_nano_usd := delta.estimated_nano_usd + coalesce(paid_nano, 0);
  else
    delta.reported_nano_usd := delta.reported_nano_usd + coalesce(paid_nano, 0);
  end if;
  delta.answered := case when end_state = 'answered' then replies else 0 end;
  delta.failed := (end_state = 'failed')::int;
  delta.lost := delta.lost + (end_state = 'lost')::int;
  return delta;
end
$$;

create function plus(a run_total, b run_total) returns run_total language sql immutable as $$
  select (b.run, null, null, a.reported_nano_usd + b.reported_nano_usd, a.estimated_nano_usd + b.estimated_nano_usd,
    a.unknown_usd_calls + b.unknown_usd_calls, a.spent_tokens + b.spent_tokens,
    a.reserved_nano_usd + b.reserved_nano_usd, a.reserved_tokens + b.reserved_tokens, a.answered + b.answered,
    a.failed + b.failed, a.lost + b.lost, a.live + b.live)::run_total
$$;

create function add_to_totals(delta run_total) returns void language sql as $$
  update run_total set reported_nano_usd = reported_nano_usd + delta.reported_nano_usd,
    estimated_nano_usd = estimated_nano_usd + delta.estimated_nano_usd,
    unknown_usd_calls = unknown_usd_calls + delta.unknown_usd_calls,
    spent_tokens = spent_tokens + delta.spent_tokens,
    reserved_nano_usd = reserved_nano_usd + delta.reserved_nano_usd,
    reserved_tokens = reserved_tokens + delta.reserved_tokens,
    answered = answered + delta.answered, failed = failed + delta.failed, lost = lost + delta.lost,
    live = live + delta.live where run = delta.run
$$;

-- A killed call may have been billed unnoticed, so it is charged at its estimate. Null for the unit: those of all.
create function lose_open(of_run int, of_unit text) returns void language plpgsql as $$
declare
  one intent;
  delta run_total := (of_run, null, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
begin
  for one in select * from intent where run = of_run and state = 'open' and (of_unit is null or unit = of_unit)
    order by id for update loop
    delta := plus(delta, settled(one, 'lost', 0, case when one.free then 0 else one.estimated_usd end,
      case when one.free then 0 else round(one.estimated_usd * 1e9)::bigint end,
      case when one.free then 'free' else 'estimated' end,
      case when one.free then 0 else one.estimated_tokens end, '{}'));
    update intent set state = 'lost' where id = one.id;
  end loop;
  perform add_to_totals(delta);
end
$$;
`;
