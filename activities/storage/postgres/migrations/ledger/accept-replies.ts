/** Version 4 as well: one group of replies, of failures, or of reservations taken back, is one statement. */
import { byIndex } from './by-index.ts';

export const acceptReplies = `
-- The first reply to a call counts. The charge replaces what was reserved, or the estimate. A second time changes
-- nothing. Sums last.
create function accept_replies(of_run int, results jsonb) returns jsonb language plpgsql ${byIndex} as $$
#variable_conflict use_column
declare
  a record;
  one intent;
  page_id bigint;
  lane_id int;
  known record;
  paid_tokens bigint;
  answers jsonb[] := '{}';
  sums call_sums[] := '{}';
  pages bigint[] := '{}';
begin
  for a in select * from jsonb_to_recordset(results) as given (place int, intent bigint, bodies text[], hashes text[],
    usd double precision, nano_usd bigint, basis text, tokens bigint, facts jsonb, latency_ms double precision,
    origin text, returned_model text, fingerprint text) order by intent loop
    select * into one from intent where run = of_run and id = a.intent for update;
    if one.state is null or one.state = 'failed' then
      answers := answers || jsonb_build_object('place', a.place, 'error', coalesce(one.state, 'missing'));
      continue;
    end if;
    if one.page is distinct from page_id then
      page_id := one.page;
      lane_id := lane_of_page(page_id);
      pages := pages || page_id;
    end if;
    if one.state <> 'answered' then
      insert into reply select of_run, one.calls[n], a.intent, decode(body, 'base64'), decode(hash, 'hex')
        from unnest(a.bodies, a.hashes) with ordinality as given (body, hash, n) where n <= cardinality(one.calls)
        on conflict do nothing;
      paid_tokens := case when a.origin is null then coalesce(a.tokens, one.estimated_tokens) else 0 end;
      update intent set state = 'answered', latency_ms = a.latency_ms, origin = a.origin, failure = null,
        returned_model = a.returned_model, fingerprint = a.fingerprint, usd = a.usd, nano_usd = a.nano_usd,
        basis = a.basis, tokens = paid_tokens, facts = a.facts where id = a.intent;
      sums := sums || settled(one, lane_id, 'answered', least(cardinality(a.bodies), cardinality(one.calls)), a.usd,
        a.nano_usd, a.basis, paid_tokens, a.facts, a.origin);
    end if;
    select * into known from linked_replies(of_run, one.page, lane_id, one.answering_model, one.cell, one.step,
      one."loop", one.ask, one.sample, one.calls, case when one.state <> 'answered' then a.intent end);
    if (known.sums).samples > 0 then
      sums := sums || known.sums;
    end if;
    answers := answers || jsonb_build_object('place', a.place, 'replies', known.replies,
      'keys', (select jsonb_agg((select encode(call_key, 'hex') from call where call.id = asked)
        order by n) from unnest(one.calls) with ordinality as asked (asked, n)));
  end loop;
  if cardinality(sums) > 0 then
    perform add_sums(of_run, sums, pages);
  end if;
  return to_jsonb(answers);
end
$$;

-- Counts calls or attempts that ended without a reply, by their reason, in its order.
create function count_reasons(of_run int, of_sent boolean, reasons text[]) returns void language sql as $$
  insert into ended_without_reply select of_run, of_sent, why, count(*) from unnest(reasons) as why
    group by why order by why
    on conflict (run, sent, md5(reason)) do update set calls = ended_without_reply.calls + excluded.calls
$$;

-- Closes intents without a reply. Returns their states before; a second time changes nothing.
create function fail_calls(of_run int, failures jsonb) returns jsonb language plpgsql ${byIndex} as $$
#variable_conflict use_column
declare
  f record;
  one intent;
  answers jsonb[] := '{}';
  sums call_sums[] := '{}';
  pages bigint[] := '{}';
  reasons text[] := '{}';
begin
  for f in select * from jsonb_to_recordset(failures) as given (place int, intent bigint, failure text,
    usd double precision, nano_usd bigint, basis text, tokens bigint, facts jsonb, latency_ms double precision)
    order by intent loop
    select * into one from intent where run = of_run and id = f.intent for update;
    answers := answers || jsonb_build_object('place', f.place, 'before', one.state);
    continue when one.state is null or one.state in ('answered', 'failed');
    update intent set state = 'failed', failure = f.failure, latency_ms = f.latency_ms, usd = f.usd,
      nano_usd = f.nano_usd, basis = f.basis, tokens = coalesce(f.tokens, 0), facts = f.facts
      where id = f.intent;
    insert into failed_intent values (of_run, f.intent);
    pages := pages || one.page;
    sums := sums || settled(one, lane_of_page(one.page), 'failed', 0, f.usd, f.nano_usd, f.basis,
      coalesce(f.tokens, 0), f.facts, null);
    reasons := reasons || split_part(f.failure, ':', 1);
  end loop;
  perform count_reasons(of_run, true, reasons);
  if cardinality(sums) > 0 then
    perform add_sums(of_run, sums, pages);
  end if;
  return to_jsonb(answers);
end
$$;

-- Removes reservations without a trace, batched ones too. Returns how many there were.
create function drop_intents(of_run int, intents bigint[]) returns int language plpgsql ${byIndex} as $$
#variable_conflict use_column
declare
  one intent;
  sums call_sums[] := '{}';
begin
  for one in select * from intent where run = of_run and id = any (intents) and state in ('open', 'batched')
    order by id for update loop
    sums := sums || settled(one, lane_of_page(one.page), null, 0, null, null, null, null, null, null);
    if one.state = 'batched' then
      update call set batched = false where id = any (one.calls);
    end if;
    delete from intent where id = one.id;
  end loop;
  if cardinality(sums) > 0 then
    perform add_sums(of_run, sums, '{}');
  end if;
  return cardinality(sums);
end
$$;

-- Takes back reservations that were never sent; those that have ended, or were taken back before, stay as they are.
create function release_calls(of_run int, releases jsonb) returns void language plpgsql ${byIndex} as $$
#variable_conflict use_column
declare
  r record;
  dropped bigint[] := '{}';
  reasons text[] := '{}';
begin
  for r in select * from jsonb_to_recordset(releases) as given (intent bigint, why text) order by intent loop
    perform from intent where run = of_run and id = r.intent and state in ('open', 'batched') for update;
    continue when not found or r.intent = any (dropped);
    dropped := dropped || r.intent;
    reasons := reasons || r.why;
  end loop;
  perform count_reasons(of_run, false, reasons);
  perform drop_intents(of_run, dropped);
end
$$;
`;
