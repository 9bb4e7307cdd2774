/** Where in a run's folder its two main files lie. */
import { join } from 'node:path';

export const ledgerName = 'ledger.sqlite';
export const ledgerPath = (runFolder: string): string => join(runFolder, ledgerName);
export const manifestPath = (runFolder: string): string => join(runFolder, 'manifest.json');
