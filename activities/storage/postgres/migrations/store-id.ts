/** What tells a store from all others, on every host: names of task queues have it. */
export const storeId = `
create table store (
  id uuid primary key default gen_random_uuid()
);
insert into store default values;
`;
