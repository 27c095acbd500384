import type { StoredBatch } from '../store/batch-record.ts';
import type { WorkerContext } from './worker-context.ts';

/** The uploads of results stay open for this time after the batch expires, in case that storage is unavailable. */
export const UPLOAD_GRACE_MS = 7 * 86_400_000;

/** Opens the uploads that the output and error files are written to. */
export async function openUploads(
  { files }: Pick<WorkerContext, 'files'>,
  { id, owner, windowMs, outputLifetimeMs: lifetimeMs }: StoredBatch,
): Promise<Pick<StoredBatch, 'outputUpload' | 'errorUpload'>> {
  const open = async (kind: string): Promise<string> => {
    const pendingMs = windowMs + UPLOAD_GRACE_MS;
    const named = { filename: `${id}_${kind}.jsonl`, mediaType: 'application/jsonl', purpose: 'batch_output' } as const;
    // The requests are already paid for, so only the quota of the key limits their results.
    const limits = { pendingMs, maxBytes: Number.MAX_SAFE_INTEGER };
    return (await files.createUpload(owner, { ...named, ...limits, ...(lifetimeMs && { lifetimeMs }) })).id;
  };
  return { outputUpload: await open('output'), errorUpload: await open('error') };
}
