import { folderCatalog } from '../../../activities/storage/catalog/folder-catalog.ts';
import type { RunCatalog } from '../../../activities/storage/catalog/run-catalog.ts';

/** Opens the catalog at an address of a test, in whatever process: the path of a folder. */
export const openCatalog = (address: string): RunCatalog => folderCatalog(address);
