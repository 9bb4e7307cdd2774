import type { BlobStore } from '../../../activities/storage/blobs/blob-store.ts';
import { folderBlobs } from '../../../activities/storage/blobs/folder-blobs.ts';

/** Opens the blobs at an address of a test, in whatever process: the path of a folder. */
export const openBlobs = (address: string): BlobStore => folderBlobs(address);
