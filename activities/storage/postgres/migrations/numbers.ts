/**
 * Version 3: runs have numbers. It also made tables of calls, which no command filled; version 4 makes those of the
 * whole ledger instead.
 */
export const runNumbers = `
alter table run add column number int generated always as identity unique;
`;

/** Refuses to drop calls, should there be any after all. */
export const withoutEarlyCalls = `
do $$
declare
  has_calls boolean := false;
begin
  if to_regclass('intent') is not null then
    execute 'select exists (select from intent)' into has_calls;
  end if;
  if has_calls then
    raise exception 'it has calls of version 3 of the tables, which version 4 cannot take over';
  end if;
end
$$;
drop function if exists reserve_calls, linked_replies, accept_replies, fail_call, release_call, lose_open, settled;
drop function if exists budget_fault, add_to_totals, plus;
drop table if exists run_epoch, run_total, plan_page, unit, call, intent, asked, live_call, reply, sample, charge;
drop table if exists control, ended_without_reply;
drop sequence if exists intent_number;
`;
