import type { BatchParams } from '@sluice/canonical';
import { requestDigest } from '../http/idempotency/request-digest.ts';
import { idempotencyKeyOf } from '../http/idempotency/idempotency-key.ts';
import { originHeaders } from '../http/public-url.ts';
import type { BatchCall } from './batch-call.ts';
import type { BatchesDeps } from './batches-deps.ts';

/**
 * Records a batch, and encodes it. If the client repeats a request with an `Idempotency-Key`, the earlier batch is
 * returned.
 * @param content hash of the requests in the body, if there are some
 * @param onReplay called if the batch was not created
 */
export async function createOnce(
  { batches, originOf }: Pick<BatchesDeps, 'batches' | 'originOf'>,
  { format, apiKey: { name }, request, reply }: BatchCall,
  params: BatchParams,
  { content = '', onReplay }: { content?: string; onReplay?: () => Promise<void> } = {},
): Promise<unknown> {
  const key = idempotencyKeyOf(request);
  const created = { ...params, headers: { ...params.headers, ...originHeaders(request) } };
  if (key === undefined) return format.encodeBatch(await batches.create(name, created), originOf(request));
  // A request to another host is the same request.
  const { inputFileId, ...rest } = params;
  const identity = { ...rest, input: content === '' ? inputFileId : content };
  const digest = requestDigest(identity);
  const operation = `create ${params.protocol}`;
  const { batch, isReplayed } = await batches.createOnce(name, created, { key, operation, digest });
  if (isReplayed) {
    void reply.header('idempotent-replayed', 'true');
    await onReplay?.();
  }
  return format.encodeBatch(batch, originOf(request));
}
