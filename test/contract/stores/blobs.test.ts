import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { blobStoreContract } from './blob-store-contract.ts';

blobStoreContract(() => join(temporaryFolder(), 'blobs'));
