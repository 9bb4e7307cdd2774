/** Version 4 as well: changes of the plan, and the answers of a page by step. */
import { byIndex } from './by-index.ts';

export const planChanges = `
-- Pages of a plan as the program gives them, in its order; of equal ones the first.
create function given_pages(given jsonb) returns table (n bigint, page text, study text, model text, cells int,
  revision int) language sql immutable as $$
  select distinct on (page) n, page, study, model, cells, revision
    from rows from (jsonb_to_recordset(given) as (page text, study text, model text, cells int, revision int))
    with ordinality as one (page, study, model, cells, revision, n) order by page, n
$$;

-- Adds new pages in their order, and opens those again that a later revision asks more of. Returns null, or a known
-- page with other contents; then it has added nothing.
create function add_pages(of_run int, given jsonb) returns jsonb language plpgsql as $$
#variable_conflict use_column
declare
  fault jsonb;
begin
  select jsonb_build_object('page', one.page, 'known', jsonb_build_object('study', lane.study, 'model', lane.model,
      'cells', known.cells, 'revision', known.revision)) into fault
    from given_pages(given) as one join plan_page as known on known.run = of_run and known.page = one.page
    join lane on lane.id = known.lane
    where (lane.study, lane.model, known.cells) is distinct from (one.study, one.model, one.cells)
      or known.revision > one.revision order by n limit 1;
  if fault is not null then
    return fault;
  end if;
  insert into lane (run, study, model) select of_run, study, model from given_pages(given)
    group by study, model order by min(n) on conflict do nothing;
  with deeper as (
    select known.id, known.lane, known.state, known.cells_done, one.revision from given_pages(given) as one
      join plan_page as known on known.run = of_run and known.page = one.page
      where known.revision < one.revision for update of known
  ), opened as (
    update plan_page set revision = deeper.revision, state = 'open', failure = null, cells_done = 0
      from deeper where plan_page.id = deeper.id
      returning deeper.id, deeper.lane, deeper.state, deeper.cells_done
  ), forgotten as (
    delete from page_answers where run = of_run and page in (select id from opened)
  )
  update lane set sealed = lane.sealed - more.sealed, failed = lane.failed - more.failed,
    cells_done = cells_done - more.done
    from (select lane, count(*) filter (where state = 'sealed') as sealed, count(*) filter (where state = 'failed') as
      failed, sum(cells_done) as done from opened group by lane) as more
    where id = more.lane;
  with added as (
    insert into plan_page (run, page, lane, cells, revision)
      select of_run, page, lane.id, one.cells, revision from given_pages(given) as one
      join lane on lane.run = of_run and lane.study = one.study and lane.model = one.model order by n
      on conflict do nothing returning lane, cells
  )
  update lane set pages = lane.pages + more.pages, cells = lane.cells + more.cells
    from (select lane, count(*) as pages, sum(cells) as cells from added group by lane) as more
    where id = more.lane;
  return null;
end
$$;

-- Cells of a page that have reached their end: never fewer than before. Returns how many the page has, and changes
-- nothing for a number that it cannot have; null if there is no such page.
create function mark_cells_done(of_run int, of_page text, done int) returns int language plpgsql as $$
declare
  one plan_page;
begin
  select * into one from plan_page where run = of_run and page = of_page for no key update;
  if done > one.cells_done and done <= one.cells then
    update plan_page set cells_done = done where id = one.id;
    update lane set cells_done = cells_done + done - one.cells_done where id = one.lane;
  end if;
  return one.cells;
end
$$;

-- The stored answers of a page by step. A reply used by several cells counts as a sample for the cell that asked for
-- it, and as an answer of each page. The charge of a request is divided evenly among its replies in use.
create function page_steps(of_page bigint) returns table (step text, answering_model text,
  answers bigint, samples bigint, tokens double precision, usd double precision) language sql stable ${byIndex} as $$
  select step, answering_model, sum(first::int), sum(asks::int),
    coalesce(sum(tokens::double precision / replies) filter (where asks), 0),
    coalesce(sum(usd / replies) filter (where asks), 0)
  from (
    select used.step as step, intent.answering_model as answering_model, intent.tokens as tokens, intent.usd as usd,
      intent.page = used.page and intent.cell = used.cell and intent.step = used.step and intent.loop = used.loop
        and intent.ask = used.ask and coalesce(intent.calls[used.sample - intent.sample + 1] = used.call, false)
        as asks,
      row_number() over (partition by used.call, used.step order by used.cell, used.loop, used.ask, used.sample) = 1
        as first,
      (select count(*) from reply as other where other.call = any (intent.calls) and other.intent = intent.id)
        as replies
    from sample as used join reply on reply.call = used.call join intent on intent.id = reply.intent
    where used.page = of_page
  ) as one group by step, answering_model
$$;

-- Marks a page sealed, with all its cells done. Call it with the page locked: no call of it ends meanwhile.
create function mark_sealed(of_run int, of_page bigint) returns void language plpgsql as $$
#variable_conflict use_column
declare
  one plan_page;
begin
  select * into one from plan_page where id = of_page;
  delete from page_answers where run = of_run and page = of_page;
  insert into page_answers select of_run, of_page, step, answering_model, answers, samples, tokens, usd
    from page_steps(of_page);
  update plan_page set state = 'sealed', failure = null, cells_done = cells where id = of_page;
  update lane set sealed = sealed + (one.state <> 'sealed')::int, failed = failed - (one.state = 'failed')::int,
    cells_done = cells_done + one.cells - one.cells_done where id = one.lane;
end
$$;
`;
