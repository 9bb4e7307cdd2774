/** What tables are derived from. */

/** Excludes derived tables from the sources: they may be outdated or damaged. */
export const isSource = ({ page, table }: { readonly page: string; readonly table: string }): boolean =>
  page !== 'run' || ['models', 'settings', 'tasks', 'suites'].includes(table);
