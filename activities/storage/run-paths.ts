/** Where in a run's folder its two main files lie. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ledgerName = 'ledger.sqlite';
export const ledgerPath = (runFolder: string): string => join(runFolder, ledgerName);
export const manifestPath = (runFolder: string): string => join(runFolder, 'manifest.json');

/** Whether a ledger lies in a run's folder, which has had it from the beginning. */
export const isOfRun = (ledger: string): boolean => existsSync(manifestPath(dirname(ledger)));
