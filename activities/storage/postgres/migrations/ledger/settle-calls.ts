/** Version 4 as well: what the end of a call changes in the sums of its run and lane. */
import { byIndex } from './by-index.ts';

export const settleCalls = `
-- What one call adds to the sums; all of a group are added at once.
create type call_sums as (
  lane int, answering_model text, samples int, answered int, failed int, lost int, unknown_usd_calls int,
  thinking_answers int, thinking_tokens numeric, tokens numeric, reported_nano_usd numeric,
  estimated_nano_usd numeric, replies int, live int, reserved_nano_usd numeric, reserved_tokens numeric,
  disbelieved int
);

create function no_sums(of_lane int, of_model text) returns call_sums language sql immutable as $$
  select (of_lane, of_model, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)::call_sums
$$;

-- Ends a reservation or takes an estimate back, and charges what was paid, if the intent has an end (not for one that
-- was never sent). The intent's own row is changed by who calls this, and whose settings hold here too.
create function settled(
  ended intent, of_lane int, end_state text, replies int, paid_usd double precision, paid_nano bigint,
  paid_basis text, paid_tokens bigint, paid_facts jsonb, from_run text
) returns call_sums language plpgsql as $$
declare
  sums call_sums := no_sums(of_lane, ended.answering_model);
begin
  if ended.state in ('open', 'batched') then
    delete from live_call where call = any (ended.calls) and intent = ended.id;
    sums.live := -(ended.state = 'open')::int;
    sums.reserved_nano_usd := -ended.max_nano_usd;
    sums.reserved_tokens := -ended.max_tokens;
    if ended.state = 'batched' then
      delete from batch_line where intent = ended.id;
    end if;
  else
    sums.lost := -1;
    sums.tokens := -ended.tokens;
    sums.unknown_usd_calls := -(ended.nano_usd is null)::int;
    sums.estimated_nano_usd := case when ended.basis = 'estimated' then -coalesce(ended.nano_usd, 0) else 0 end;
    sums.reported_nano_usd := case when ended.basis = 'estimated' then 0 else -coalesce(ended.nano_usd, 0) end;
  end if;
  if end_state is null then
    return sums;
  end if;
  sums.tokens := sums.tokens + paid_tokens;
  sums.unknown_usd_calls := sums.unknown_usd_calls + (paid_nano is null)::int;
  if paid_basis = 'estimated' then
    sums.estimated_nano_usd := sums.estimated_nano_usd + coalesce(paid_nano, 0);
  else
    sums.reported_nano_usd := sums.reported_nano_usd + coalesce(paid_nano, 0);
  end if;
  sums.failed := (end_state = 'failed')::int;
  sums.lost := sums.lost + (end_state = 'lost')::int;
  sums.disbelieved := (paid_facts ->> 'usageReported' is not null)::int;
  if end_state = 'answered' then
    sums.answered := 1;
    sums.replies := replies;
    -- The thoughts of a copied reply were another run's.
    if from_run is null and paid_facts ->> 'reasoningTokens' is not null then
      sums.thinking_answers := replies;
      sums.thinking_tokens := (paid_facts ->> 'reasoningTokens')::numeric;
    end if;
  end if;
  return sums;
end
$$;

-- Adds a group's sums to its lanes, in their order, and last to its run. Answers of these pages are counted on request
-- from then on, should they have been sealed.
create function add_sums(of_run int, sums call_sums[], pages bigint[]) returns void language plpgsql as $$
#variable_conflict use_column
begin
  insert into lane_spend
    select of_run, lane, answering_model, sum(samples), sum(answered), sum(failed), sum(lost), sum(unknown_usd_calls),
      sum(thinking_answers), sum(thinking_tokens), sum(tokens), sum(reported_nano_usd), sum(estimated_nano_usd)
    from unnest(sums) group by lane, answering_model order by lane, answering_model
    on conflict (run, lane, answering_model) do update set
      samples = lane_spend.samples + excluded.samples,
      answered = lane_spend.answered + excluded.answered,
      failed = lane_spend.failed + excluded.failed,
      lost = lane_spend.lost + excluded.lost,
      unknown_usd_calls = lane_spend.unknown_usd_calls + excluded.unknown_usd_calls,
      thinking_answers = lane_spend.thinking_answers + excluded.thinking_answers,
      thinking_tokens = lane_spend.thinking_tokens + excluded.thinking_tokens,
      tokens = lane_spend.tokens + excluded.tokens,
      reported_nano_usd = lane_spend.reported_nano_usd + excluded.reported_nano_usd,
      estimated_nano_usd = lane_spend.estimated_nano_usd + excluded.estimated_nano_usd;
  delete from page_answers where run = of_run and page = any (pages);
  update run_total set
    reported_nano_usd = run_total.reported_nano_usd + more.reported_nano_usd,
    estimated_nano_usd = run_total.estimated_nano_usd + more.estimated_nano_usd,
    unknown_usd_calls = run_total.unknown_usd_calls + more.unknown_usd_calls,
    spent_tokens = run_total.spent_tokens + more.tokens,
    reserved_nano_usd = run_total.reserved_nano_usd + more.reserved_nano_usd,
    reserved_tokens = run_total.reserved_tokens + more.reserved_tokens,
    answered = run_total.answered + more.replies,
    failed = run_total.failed + more.failed,
    lost = run_total.lost + more.lost,
    live = run_total.live + more.live,
    disbelieved = run_total.disbelieved + more.disbelieved
  from (
    select sum(reported_nano_usd) as reported_nano_usd, sum(estimated_nano_usd) as estimated_nano_usd,
      sum(unknown_usd_calls) as unknown_usd_calls, sum(tokens) as tokens, sum(reserved_nano_usd) as reserved_nano_usd,
      sum(reserved_tokens) as reserved_tokens, sum(replies) as replies, sum(failed) as failed, sum(lost) as lost,
      sum(live) as live, sum(disbelieved) as disbelieved
    from unnest(sums)
  ) as more where run = of_run;
end
$$;

-- The lane of a page, which is not sealed until this transaction ends: its answers are counted when it is.
create function lane_of_page(of_page bigint) returns int language sql as $$
  select lane from plan_page where id = of_page for key share
$$;

-- A killed call may have been billed unnoticed, so it is charged at its estimate. Null for the unit: those of all.
create function lose_open(of_run int, of_unit text) returns void language plpgsql ${byIndex} as $$
#variable_conflict use_column
declare
  one intent;
  is_free boolean;
  paid_nano bigint;
  sums call_sums[] := '{}';
  pages bigint[] := '{}';
  intents bigint[];
begin
  if of_unit is null then
    intents := array(select intent from live_call where run = of_run and unit is not null);
  else
    intents := array(select intent from live_call where run = of_run and unit = of_unit);
  end if;
  for one in select * from intent where id = any (intents) and state = 'open' order by id for update loop
    paid_nano := case when one.free then 0 else round(one.estimated_usd * 1e9)::bigint end;
    sums := sums || settled(one, lane_of_page(one.page), 'lost', 0,
      case when one.free then 0 else one.estimated_usd end, paid_nano,
      case when one.free then 'free' else 'estimated' end,
      case when one.free then 0 else one.estimated_tokens end, '{}', null);
    pages := pages || one.page;
    update intent set state = 'lost', usd = case when one.free then 0 else one.estimated_usd end,
      nano_usd = paid_nano, basis = case when one.free then 'free' else 'estimated' end,
      tokens = case when one.free then 0 else one.estimated_tokens end, facts = '{}'
      where id = one.id;
  end loop;
  if cardinality(sums) > 0 then
    perform add_sums(of_run, sums, pages);
  end if;
end
$$;

-- The unit's newest attempt from now on; null for an old epoch, and for an attempt that is not newer than the last.
create function open_unit(of_run int, of_unit text, of_epoch int, wanted int, number uuid) returns int
language plpgsql as $$
#variable_conflict use_column
declare
  last unit;
  newest int;
begin
  perform from run_epoch where run = of_run and epoch = of_epoch for share;
  if not found then
    return null;
  end if;
  insert into unit values (of_run, of_unit, 0, 0) on conflict do nothing;
  select * into last from unit where run = of_run and unit = of_unit for update;
  if last.opened = number then
    return last.attempt;
  end if;
  newest := case when last.epoch = of_epoch then last.attempt else 0 end;
  if coalesce(wanted, newest + 1) <= newest then
    return null;
  end if;
  newest := coalesce(wanted, newest + 1);
  update unit set epoch = of_epoch, attempt = newest, opened = number where run = of_run and unit = of_unit;
  perform lose_open(of_run, of_unit);
  return newest;
end
$$;
`;
