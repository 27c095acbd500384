import type { ContentStore } from './content-store.ts';
import { createLocalContentStore } from './local-content-store.ts';
import type { S3ContentSettings } from './s3-content-store.ts';

export interface ContentSettings {
  dir: string;
  /** Whether the folder is configured. A configured folder must exist. */
  mustExist?: boolean | undefined;
  /** If set, it is used instead of the folder. */
  s3?: S3ContentSettings | undefined;
}

export async function openContentStore({ dir, mustExist = false, s3 }: ContentSettings): Promise<ContentStore> {
  if (s3 === undefined) return createLocalContentStore(dir, { mustExist });
  // Loaded on demand, because the library uses memory that a local folder does not need.
  const { createS3ContentStore } = await import('./s3-content-store.ts');
  return createS3ContentStore(s3);
}
