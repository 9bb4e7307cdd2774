/** The caches of this machine, by the name by which `gc` is asked for them. */
export const caches = {
  references: 'what references of benchmarks returned; run again when needed',
  executions: 'verdicts of earlier runs; programs are run again when needed',
  compiled: 'compiled code of this program; the next commands start slower',
  workflows: 'bundled workflows; the next run takes some seconds longer to start',
  temporal: 'the Temporal server; downloaded or built again by the next run',
  node: 'where a newer Node lies; looked for again by the next command',
  engine: 'images of the private container engine that tests use',
  accounts: 'closed accounts and learned rate limits; learned again from refusals',
  benchmarks: 'downloaded benchmarks; "evenkeel fetch" downloads them again',
  stores: 'copies of runs on servers, with their reports; tables are fetched again when they are read',
} as const;
export type CacheName = keyof typeof caches;

/** Not part of `all`: what they hold was asked for by a person, or is learned only by refusals. */
export const byNameOnly: readonly CacheName[] = ['accounts', 'benchmarks', 'stores'];
