
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

-- In this order: fence, stored reply, stop, live intent, budget. One bad request fails alone.
create function reserve_calls(of_run int, requests jsonb) returns jsonb language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  now_epoch int;
  r record;
  page_id bigint;
  call_ids bigint[];
  number bigint;
  other int;
  fence text;
  is_fenced boolean;
  page_name text;
  model_name text;
  stopped text;
  total run_total;
  answer jsonb;
  answers jsonb[] := '{}';
  going jsonb[] := '{}';
  one jsonb;
  room jsonb;
begin
  select epoch into now_epoch from run_epoch where run = of_run for share;
  -- Sorted, so that no two groups wait for each other.
  insert into call (run, call_key)
    select of_run, decode(key, 'hex') from (
      select distinct jsonb_array_elements_text(request -> 'keys') as key from jsonb_array_elements(requests) as request
    ) as keys order by key on conflict do nothing;
  for r in select * from jsonb_to_recordset(requests) as asked (place int, id uuid, unit text, epoch int, attempt int,
    page text, cell int, step text, "loop" int, ask int, sample int, keys text[], model text, answering_model text,
    parameters_sent text, max_nano_usd bigint, is_priced boolean, max_tokens bigint, estimated_usd double precision,
    estimated_tokens bigint, free boolean) order by keys loop
    select id into number from intent where run = of_run and uuid = r.id;
    if number is not null then
      answers := answers || jsonb_build_object('place', r.place, 'kind', 'go', 'intent', number);
      continue;
    end if;
    -- Most requests of a group are of one step of one page: what was looked up for the one before still holds.
    if concat_ws(' ', r.epoch, r.attempt, r.unit) is distinct from fence then
      perform from unit where run = of_run and unit = r.unit and epoch = r.epoch and attempt = r.attempt for share;
      is_fenced := not found or r.epoch is distinct from now_epoch;
      fence := concat_ws(' ', r.epoch, r.attempt, r.unit);
    end if;
    if is_fenced then
      answers := answers || jsonb_build_object('place', r.place, 'kind', 'stop', 'reason', 'fenced');
      continue;
    end if;
    if r.page is distinct from page_name then
      select id into page_id from plan_page where run = of_run and page = r.page;
      page_name := r.page;
    end if;
    -- A subquery, since a join may be planned from the calls of the whole run.
    select array_agg((select id from call where run = of_run and call_key = decode(key, 'hex')) order by n)
      into call_ids from unnest(r.keys) with ordinality as keys (key, n);
    select sample.sample into other from unnest(call_ids) with ordinality as calls (id, n) join sample
      on (page, cell, step, loop, ask, sample) = (page_id, r.cell, r.step, r."loop", r.ask, r.sample + n - 1)
      where sample.call <> calls.id limit 1;
    if page_id is null or other is not null then
      answers := answers || jsonb_build_object('place', r.place, 'kind', 'error', 'page', page_id, 'sample', other);
      continue;
    end if;
    answer := linked_replies(page_id, r.cell, r.step, r."loop", r.ask, r.sample, call_ids, null);
    if answer is null and r.model is distinct from model_name then
      -- The newest row counts, that of the whole run first.
      select coalesce(
        (select reason from control where run = of_run and model is null order by id desc limit 1),
        (select reason from control where run = of_run and model = r.model order by id desc limit 1)) into stopped;
      model_name := r.model;
    end if;
    if answer is not null then
      answers := answers || jsonb_build_object('place', r.place, 'kind', 'answered', 'replies', answer);
    elsif stopped is not null then
      answers := answers || jsonb_build_object('place', r.place, 'kind', 'stop', 'reason', stopped);
    else
      number := nextval('intent_number');
      insert into live_call select id, number from unnest(call_ids) as id order by id on conflict do nothing;
      get diagnostics other = row_count;
      if other < cardinality(call_ids) then
        delete from live_call where intent = number;
        answers := answers || jsonb_build_object('place', r.place, 'kind', 'busy');
      else
        insert into intent (id, run, uuid, page, cell, step, loop, ask, sample, unit, epoch, attempt, answering_model,
          parameters_sent, max_nano_usd, max_tokens, estimated_usd, estimated_tokens, free)
          values (number, of_run, r.id, page_id, r.cell, r.step, r."loop", r.ask, r.sample, r.unit, r.epoch, r.attempt,
          r.answering_model, r.parameters_sent, r.max_nano_usd, r.max_tokens, r.estimated_usd, r.estimated_tokens,
          r.free);
        insert into asked select number, n - 1, id from unnest(call_ids) with ordinality as calls (id, n);
        going := going || jsonb_build_object('place', r.place, 'intent', number, 'usd', r.max_nano_usd,
          'tokens', r.max_tokens, 'is_priced', r.is_priced);
      end if;
    end if;
  end loop;
  if cardinality(going) = 0 then
    return to_jsonb(answers);
  end if;
  select * into total from run_total where run = of_run for update;
  foreach one in array going loop
    room := budget_fault(total, one);
    if room is null then
      total.live := total.live + 1;
      total.reserved_nano_usd := total.reserved_nano_usd + (one ->> 'usd')::numeric;
      total.reserved_tokens := total.reserved_tokens + (one ->> 'tokens')::numeric;
      room := jsonb_build_object('kind', 'go', 'intent', one -> 'intent');
    else
      delete from live_call where intent = (one ->> 'intent')::bigint;
      delete from asked where intent = (one ->> 'intent')::bigint;
      delete from intent where id = (one ->> 'intent')::bigint;
    end if;
    answers := answers || (room || jsonb_build_object('place', one -> 'place'));
  end loop;
  update run_total set live = total.live, reserved_nano_usd = total.reserved_nano_usd,
    reserved_tokens = total.reserved_tokens where run = of_run;
  return to_jsonb(answers);
end
$$;

-- The replies to these calls, which are samples from now on, in order; null if there are none. Those of the intent
-- own are known to whoever asks.
create function linked_replies(
  of_page bigint, of_cell int, of_step text, of_loop int, of_ask int, first_sample int, calls bigint[], own bigint
) returns jsonb language plpgsql as $$
declare
  found_replies jsonb;
begin
  if not exists (select from reply where call = any (calls)) then
    return null;
  end if;
  insert into sample select of_page, of_cell, of_step, of_loop, of_ask, first_sample + n - 1, id
    from unnest(calls) with ordinality as numbered (id, n) where exists (select from reply where reply.call = id)
    on conflict do nothing;
  select jsonb_agg(case when reply.call is null then null when reply.intent = own then '"own"'::jsonb
      else jsonb_build_object('body', encode(reply.body, 'base64'), 'sha256', encode(reply.sha256, 'hex'),
        'origin', intent.origin) end order by n)
    into found_replies from unnest(calls) with ordinality as numbered (id, n)
    left join reply on reply.call = numbered.id left join intent on intent.id = reply.intent;
  return found_replies;
end
$$;

-- Why a call does not fit into the budget: never, or not while open calls hold the room. A free one always fits.
create function budget_fault(total run_total, wanted jsonb) returns jsonb language plpgsql immutable as $$
declare
  usd numeric := (wanted ->> 'usd')::numeric;
  tokens numeric := (wanted ->> 'tokens')::numeric;
  spent numeric := total.reported_nano_usd + total.estimated_nano_usd;
begin
  if total.budget_nano_usd is not null and (not (wanted ->> 'is_priced')::boolean
      or usd > 0 and spent + usd > total.budget_nano_usd)
    or tokens > 0 and total.spent_tokens + tokens > total.budget_tokens then
    return '{"kind": "stop", "reason": "budget"}';
  elsif usd > 0 and spent + total.reserved_nano_usd + usd > total.budget_nano_usd
    or tokens > 0 and total.spent_tokens + total.reserved_tokens + tokens > total.budget_tokens then
    return '{"kind": "busy"}';
  end if;
  return null;
end
$$;

-- The first reply to a call counts. The charge replaces what was reserved, or the estimate. A second time changes
-- nothing. Totals last.
create function accept_replies(of_run int, results jsonb) returns jsonb language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  a record;
  one intent;
  call_ids bigint[];
  answers jsonb[] := '{}';
  delta run_total := (of_run, null, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
begin
  for a in select * from jsonb_to_recordset(results) as given (place int, intent bigint, bodies text[], hashes text[],
    usd double precision, nano_usd bigint, basis text, tokens bigint, facts jsonb, latency_ms double precision,
    origin text, returned_model text, fingerprint text) order by intent loop
    select * into one from intent where id = a.intent and run = of_run for update;
    if one.state is null or one.state = 'failed' then
      answers := answers || jsonb_build_object('place', a.place, 'error', coalesce(one.state, 'missing'));
      continue;
    end if;
    select array_agg(call order by place) into call_ids from asked where intent = a.intent;
    if one.state <> 'answered' then
      insert into reply select call_ids[n], a.intent, decode(body, 'base64'), decode(hash, 'hex')
        from unnest(a.bodies, a.hashes) with ordinality as given (body, hash, n) where n <= cardinality(call_ids)
        on conflict do nothing;
      update intent set state = 'answered', latency_ms = a.latency_ms, origin = a.origin,
        returned_model = a.returned_model, fingerprint = a.fingerprint where id = a.intent;
      delta := plus(delta, settled(one, 'answered', least(cardinality(a.bodies), cardinality(call_ids)), a.usd,
        a.nano_usd, a.basis, case when a.origin is null then coalesce(a.tokens, one.estimated_tokens) else 0 end,
        a.facts));
    end if;
    answers := answers || jsonb_build_object('place', a.place,
      'keys', (select jsonb_agg((select encode(call_key, 'hex') from call where call.id = asked.call) order by place)
        from asked where asked.intent = a.intent),
      'replies', linked_replies(one.page, one.cell, one.step, one."loop", one.ask, one.sample, call_ids,
        case when one.state <> 'answered' then a.intent end));
  end loop;
  perform add_to_totals(delta);
  return to_jsonb(answers);
end
$$;

-- Closes an intent without a reply. Returns its state before; a second time changes nothing.
create function fail_call(
  of_run int, of_intent bigint, why text, paid_usd double precision, paid_nano bigint, paid_basis text,
  paid_tokens bigint, paid_facts jsonb, took_ms double precision
) returns text language plpgsql as $$
declare
  one intent;
begin
  select * into one from intent where id = of_intent and run = of_run for update;
  if one.state is null or one.state in ('answered', 'failed') then
    return one.state;
  end if;
  update intent set state = 'failed', failure = why, latency_ms = took_ms where id = of_intent;
  perform add_to_totals(settled(one, 'failed', 0, paid_usd, paid_nano, paid_basis, paid_tokens, paid_facts));
  insert into ended_without_reply values (of_run, true, split_part(why, ':', 1), 1)
    on conflict (run, sent, reason) do update set calls = ended_without_reply.calls + 1;
  return one.state;
end
$$;

-- Removes a reservation that was never sent; one that has ended stays as it is.
create function release_call(of_run int, of_intent bigint, why text) returns void language plpgsql as $$
declare
  one intent;
begin
  select * into one from intent where id = of_intent and run = of_run and state = 'open' for update;
  if not found then
    return;
  end if;
  perform add_to_totals(settled(one, null, 0, null, null, null, null, null));
  delete from asked where intent = of_intent;
  delete from intent where id = of_intent;
  insert into ended_without_reply values (of_run, false, why, 1)
    on conflict (run, sent, reason) do update set calls = ended_without_reply.calls + 1;
end
$$;
