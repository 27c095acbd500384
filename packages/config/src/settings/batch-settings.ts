import type { Config } from '../schema/schema.ts';

/** Returns the settings of batches (`BatchSettings` in `packages/batches`). API and workers must use the same ones. */
export function batchSettings({ batches }: Pick<Config, 'batches'>) {
  return {
    perOwner: batches.per_key,
    maxLines: batches.max_lines,
    maxLineBytes: batches.max_line_bytes,
    maxInputBytes: batches.max_input_bytes,
    retentionMs: batches.retention_ms,
  };
}
