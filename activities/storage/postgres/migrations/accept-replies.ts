/** Version 3 as well: one group of replies is one statement. */
import { byIndex } from './by-index.ts';

export const acceptReplies = `
-- The first reply to a call counts. The charge replaces what was reserved, or the estimate. A second time changes
-- nothing. Totals last.
create function accept_replies(of_run int, results jsonb) returns jsonb language plpgsql ${byIndex} as $$
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
`;
