/** Version 4 as well: results of one moment are one statement. The first one stored under a key counts. */
import { byIndex } from './by-index.ts';

export const saveResults = `
-- Returns those of these keys that were there before, as they are stored.
create function save_verdicts(of_run int, given jsonb) returns jsonb language plpgsql ${byIndex} as $$
#variable_conflict use_column
declare
  added bytea[];
begin
  insert into verdict_shared (run, sha256, json)
    select distinct on (shared_sha256) of_run, decode(shared_sha256, 'hex'), shared
    from jsonb_to_recordset(given) as one (shared text, shared_sha256 text) order by shared_sha256
    on conflict do nothing;
  with new as (
    insert into verdict
      select distinct on (key) of_run, decode(key, 'hex'), (select id from verdict_shared where run = of_run
        and verdict_shared.sha256 = decode(shared_sha256, 'hex')), decode(body, 'base64'), decode(hash, 'hex')
      from jsonb_to_recordset(given) as one (place int, key text, shared_sha256 text, body text, hash text)
      order by key, place on conflict do nothing returning execution_key
  )
  select array_agg(execution_key) into added from new;
  update result_total set verdicts = verdicts + cardinality(added) where run = of_run and added is not null;
  return (
    select jsonb_agg(jsonb_build_object('key', key, 'body', encode(verdict.body, 'base64'),
      'sha256', encode(verdict.sha256, 'hex'), 'shared', verdict_shared.json))
    from (select distinct key from jsonb_to_recordset(given) as one (key text)
      where decode(key, 'hex') <> all (coalesce(added, '{}'))) as others
    join verdict on verdict.run = of_run and verdict.execution_key = decode(key, 'hex')
    join verdict_shared on verdict_shared.run = of_run and verdict_shared.id = verdict.shared
  );
end
$$;

create function save_references(of_run int, given jsonb) returns void language plpgsql as $$
declare
  added int;
begin
  insert into reference
    select distinct on (key) of_run, decode(key, 'hex'), decode(body, 'base64'), decode(hash, 'hex')
    from jsonb_to_recordset(given) as one (place int, key text, body text, hash text) order by key, place
    on conflict do nothing;
  get diagnostics added = row_count;
  update result_total set reference_runs = reference_runs + added where run = of_run and added > 0;
end
$$;

-- Returns the facts that count, by name.
create function save_facts(of_run int, given jsonb) returns jsonb language plpgsql as $$
#variable_conflict use_column
begin
  insert into fact select distinct on (name) of_run, name, json
    from jsonb_to_recordset(given) as one (place int, name text, json text) order by name, place
    on conflict do nothing;
  return (select jsonb_object_agg(name, json) from fact where run = of_run
    and name in (select name from jsonb_to_recordset(given) as one (name text)));
end
$$;
`;
