import type { Config } from '../schema/schema.ts';

/** Returns the settings of files (`FileSettings` in `packages/files`). API and workers must use the same ones. */
export function fileSettings({ files }: Pick<Config, 'files'>) {
  return {
    ownerBytes: files.key_bytes,
    ownerFiles: files.per_key,
    partedBytes: files.max_upload_bytes,
    retentionMs: files.retention_ms,
  };
}
