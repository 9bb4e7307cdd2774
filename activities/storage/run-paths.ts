/** Paths of the main files in a run's folder. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ledgerName = 'ledger.sqlite';
export const ledgerPath = (runFolder: string): string => join(runFolder, ledgerName);
/** Views of the run's tables, for any DuckDB that is started in the folder. */
export const viewsName = 'views.sql';
export const manifestPath = (runFolder: string): string => join(runFolder, 'manifest.json');

/** Whether a ledger's folder is a run's, which has a ledger from the start. */
export const isOfRun = (ledger: string): boolean => existsSync(manifestPath(dirname(ledger)));
