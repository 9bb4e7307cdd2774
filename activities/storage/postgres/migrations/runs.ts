/** Version 2: the runs of a store. */
export const runTables = `
create table run (
  id text primary key,
  -- Below which key its blobs are: a new one each time a run is made, so that a run never meets those of another.
  place text not null unique,
  -- The root of the manifest, with its SHA-256 within, as in manifest.json; its segments are blobs.
  manifest text not null,
  -- How often the run was taken. An owner that has lost its session is the owner again only if this is unchanged.
  taken bigint not null default 0,
  made_at timestamptz not null default now()
);

-- The advisory lock that the owner of a run holds.
create function owner_lock(run text) returns bigint language sql stable as $$
  select hashtextextended('evenkeel owner of ' || current_schema() || '/' || run, 0)
$$;
`;
