import { blobStoreContract } from '../blob-store-contract.ts';
import { newObjects, onObjects } from './on-objects.ts';

onObjects('blobs in an S3 server', () => blobStoreContract(newObjects));
