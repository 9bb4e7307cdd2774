/** Version 4 as well: one group of reservations is one statement. */
import { byIndex } from './by-index.ts';

export const reserveCalls = `
-- In this order: fence, stored reply, stop, live intent, budget. One bad request fails alone. A request for a batch
-- waits for one, or takes over the line of its page that waits already.
create function reserve_calls(of_run int, requests jsonb) returns jsonb language plpgsql ${byIndex} as $$
#variable_conflict use_column
declare
  now_epoch int;
  r record;
  page_id bigint;
  lane_id int;
  call_ids bigint[];
  number bigint;
  other int;
  fence text;
  is_fenced boolean;
  page_name text;
  model_name text;
  stopped text;
  total run_total;
  known record;
  answers jsonb[] := '{}';
  going jsonb[] := '{}';
  one jsonb;
  room jsonb;
  sums call_sums[] := '{}';
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
    estimated_tokens bigint, free boolean, in_batch boolean) order by keys loop
    select id into number from intent where uuid = r.id;
    if number is not null then
      answers := answers || jsonb_build_object('place', r.place, 'intent', number,
        'kind', case when r.in_batch then 'batched' else 'go' end);
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
      select id, lane into page_id, lane_id from plan_page where run = of_run and page = r.page;
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
    select * into known from linked_replies(
      of_run, page_id, lane_id, r.answering_model, r.cell, r.step, r."loop", r.ask, r.sample, call_ids, null);
    if (known.sums).samples > 0 then
      sums := sums || known.sums;
    end if;
    if known.replies is null and r.model is distinct from model_name then
      -- The newest row counts, that of the whole run first.
      select coalesce(
        (select reason from control where run = of_run and model is null order by id desc limit 1),
        (select reason from control where run = of_run and model = r.model order by id desc limit 1)) into stopped;
      model_name := r.model;
    end if;
    if known.replies is not null then
      answers := answers || jsonb_build_object('place', r.place, 'kind', 'answered', 'replies', known.replies);
    elsif stopped is not null then
      answers := answers || jsonb_build_object('place', r.place, 'kind', 'stop', 'reason', stopped);
    else
      number := nextval('intent_number');
      insert into live_call select of_run, id, number, case when r.in_batch then null else r.unit end
        from unnest(call_ids) as id order by id on conflict do nothing;
      get diagnostics other = row_count;
      if other < cardinality(call_ids) then
        delete from live_call where call = any (call_ids) and intent = number;
        answers := answers || jsonb_build_object('place', r.place, 'kind', case when not r.in_batch then 'busy'
          when adopted_line(page_id, call_ids, r.unit, r.epoch, r.attempt) then 'batched' else 'busy' end);
      elsif exists (select from reply where call = any (call_ids)) then
        -- The intent that was live, and was waited for just now, has brought it.
        delete from live_call where call = any (call_ids) and intent = number;
        select * into known from linked_replies(
          of_run, page_id, lane_id, r.answering_model, r.cell, r.step, r."loop", r.ask, r.sample, call_ids, null);
        if (known.sums).samples > 0 then
          sums := sums || known.sums;
        end if;
        answers := answers || jsonb_build_object('place', r.place, 'kind', 'answered', 'replies', known.replies);
      elsif r.in_batch and exists (select from call where id = any (call_ids) and batched) then
        delete from live_call where call = any (call_ids) and intent = number;
        answers := answers || jsonb_build_object('place', r.place, 'kind', 'ordinary');
      else
        insert into intent (id, run, uuid, page, cell, step, loop, ask, sample, calls, unit, epoch, attempt,
          answering_model, parameters_sent, max_nano_usd, max_tokens, estimated_usd, estimated_tokens, free, state)
          values (number, of_run, r.id, page_id, r.cell, r.step, r."loop", r.ask, r.sample, call_ids, r.unit, r.epoch,
          r.attempt, r.answering_model, r.parameters_sent, r.max_nano_usd, r.max_tokens, r.estimated_usd,
          r.estimated_tokens, r.free, case when r.in_batch then 'batched' else 'open' end);
        going := going || jsonb_build_object('place', r.place, 'intent', number, 'usd', r.max_nano_usd,
          'tokens', r.max_tokens, 'is_priced', r.is_priced, 'in_batch', r.in_batch);
      end if;
    end if;
  end loop;
  if cardinality(sums) > 0 then
    perform add_sums(of_run, sums, '{}');
  end if;
  if cardinality(going) = 0 then
    return to_jsonb(answers);
  end if;
  select * into total from run_total where run = of_run for update;
  foreach one in array going loop
    room := budget_fault(total, one);
    if room is null then
      total.reserved_nano_usd := total.reserved_nano_usd + (one ->> 'usd')::numeric;
      total.reserved_tokens := total.reserved_tokens + (one ->> 'tokens')::numeric;
      if (one ->> 'in_batch')::boolean then
        perform new_line((one ->> 'intent')::bigint);
        room := '{"kind": "batched"}';
      else
        total.live := total.live + 1;
        room := jsonb_build_object('kind', 'go', 'intent', one -> 'intent');
      end if;
    else
      number := (one ->> 'intent')::bigint;
      delete from live_call where intent = number and call = any (
        (select calls from intent where id = number)::bigint[]);
      delete from intent where id = number;
    end if;
    answers := answers || (room || jsonb_build_object('place', one -> 'place'));
  end loop;
  update run_total set live = total.live, reserved_nano_usd = total.reserved_nano_usd,
    reserved_tokens = total.reserved_tokens where run = of_run;
  return to_jsonb(answers);
end
$$;

-- A line of this page that an earlier attempt or owner of its step left waiting belongs to this one from now on. False
-- if none of the calls is such a line.
create function adopted_line(
  of_page bigint, call_ids bigint[], of_unit text, of_epoch int, of_attempt int
) returns boolean language plpgsql as $$
declare
  line bigint;
begin
  select min(waiting.intent) into line from batch_line as waiting join live_call as live
    on live.intent = waiting.intent where live.call = any (call_ids) and waiting.page = of_page;
  update batch_line set unit = of_unit where intent = line;
  update intent set unit = of_unit, epoch = of_epoch, attempt = of_attempt where id = line;
  return line is not null;
end
$$;

create function new_line(of_intent bigint) returns void language sql as $$
  insert into batch_line select run, id, page, unit, answering_model, started_at, null
    from intent where id = of_intent;
  update call set batched = true where id = any ((select calls from intent where id = of_intent)::bigint[]);
$$;

-- The replies to these calls, which are samples from now on, in order; null if there are none. Those of the intent
-- own are known to whoever asks. And what the new samples add to the sums.
create function linked_replies(
  of_run int, of_page bigint, of_lane int, of_model text, of_cell int, of_step text, of_loop int, of_ask int,
  first_sample int, calls bigint[], own bigint, out replies jsonb, out sums call_sums
) language plpgsql as $$
declare
  added int;
begin
  if not exists (select from reply where call = any (calls)) then
    return;
  end if;
  insert into sample select of_run, of_page, of_cell, of_step, of_loop, of_ask, first_sample + n - 1, id
    from unnest(calls) with ordinality as numbered (id, n)
    where exists (select from reply where reply.call = id) on conflict do nothing;
  get diagnostics added = row_count;
  sums := no_sums(of_lane, of_model);
  sums.samples := added;
  select jsonb_agg(case when reply.call is null then null when reply.intent = own then '"own"'::jsonb
      else jsonb_build_object('body', encode(reply.body, 'base64'), 'sha256', encode(reply.sha256, 'hex'),
        'origin', intent.origin) end order by n)
    into replies from unnest(calls) with ordinality as numbered (id, n)
    left join reply on reply.call = numbered.id left join intent on intent.id = reply.intent;
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
`;
