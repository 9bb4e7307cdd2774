import { storeAt } from '../opened-store.ts';
import { folderCatalog } from './folder-catalog.ts';
import type { RunCatalog } from './run-catalog.ts';

/** @param store a folder of runs, or that of the copies of a store on servers, which was opened before */
export const runCatalog = (store: string): RunCatalog => storeAt(store)?.catalog ?? folderCatalog(store);
