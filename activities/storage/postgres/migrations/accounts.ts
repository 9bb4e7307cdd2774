/** Version 1: what transactions of all stores need, and the states of accounts. */
export const accountTables = `
-- One row for each place in a process that changes something: the number of its last stored change.
create table commit_slot (
  slot uuid primary key,
  change bigint not null,
  changed_at timestamptz not null default now()
);

create table account (
  identity text primary key,
  state text not null,
  changed_at timestamptz not null default now()
);

-- The state of an account, which nobody else changes until the transaction ends; null if there is none yet. The time
-- is read after the wait for it, so that it never runs backwards from one change of an account to the next.
create function locked_account(asked text, out state text, out now_ms double precision) language plpgsql as $$
begin
  insert into account values (asked, '') on conflict do nothing;
  select nullif(account.state, '') into state from account where identity = asked for update;
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
end
$$;
`;
