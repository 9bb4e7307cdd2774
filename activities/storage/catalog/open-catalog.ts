import { folderCatalog } from './folder-catalog.ts';
import type { RunCatalog } from './run-catalog.ts';

/** @param store a folder of runs */
export const runCatalog = (store: string): RunCatalog => folderCatalog(store);
