/**
 * Settings of functions whose statements all look rows up by an index. A plan is made once a session, perhaps while the
 * tables are empty, and must not read them whole once they are large.
 */
export const byIndex =
  'set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off ' +
  'set plan_cache_mode = force_generic_plan';
