import type { BlobStore } from '../../../activities/storage/blobs/blob-store.ts';
import { folderBlobs } from '../../../activities/storage/blobs/folder-blobs.ts';
import { s3Blobs } from '../../../activities/storage/s3/s3-blobs.ts';

/** Opens the blobs at an address of a test, in whatever process: the path of a folder, or a bucket. */
export const openBlobs = (address: string): BlobStore =>
  address.startsWith('s3://') ? s3Blobs(address) : folderBlobs(address);
