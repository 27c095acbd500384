import type { S3Objects } from './s3-objects.ts';
import type { BatchCounts } from './batch-counts.ts';
import type { BlobStore } from './blob-store.ts';

export interface BatchVendor {
  apiKey: string;
  /** The minimum duration of a batch without `[batch:slow:N]`, in milliseconds. */
  renderMs: number;
  now: () => number;
  newId: () => string;
  blobs: BlobStore;
  counts: BatchCounts;
  s3: S3Objects;
}
