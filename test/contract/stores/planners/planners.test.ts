import { join } from 'node:path';
import { folderCatalog } from '../../../../activities/storage/catalog/folder-catalog.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { plannersContract } from './planners-contract.ts';

plannersContract(() => folderCatalog(join(temporaryFolder(), 'runs')), 1);
