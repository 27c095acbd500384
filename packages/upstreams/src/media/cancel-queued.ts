import type { CancelOutcome, PollOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { CallVendor, VendorCall } from './media-wire.ts';

/** How a vendor cancels that takes a DELETE of queued jobs for it, and of finished ones to forget them. */
export interface QueuedCancellation {
  poll: VendorCall;
  /** Asked only of a job that is queued. */
  removal: VendorCall;
  isQueued: (body: unknown) => boolean;
  read: (response: UpstreamResponse) => PollOutcome;
}

/**
 * Cancels a job while it is queued. The removal would make the vendor forget a finished one, result and all, so the job
 * is looked at first, and once more after a refusal.
 * @param response of the poll
 */
export async function cancelQueued(
  { poll, removal, isQueued, read }: QueuedCancellation,
  response: UpstreamResponse,
  ask: CallVendor,
): Promise<CancelOutcome> {
  if (response.status !== 200 || !isQueued(response.body)) return canceledOr(read(response));
  const { status } = await ask(removal);
  if (status >= 200 && status < 300) return { kind: 'canceled' };
  if (status < 400 || status > 499 || status === 401 || status === 403 || status === 429) {
    return { kind: 'unclear', message: `The upstream answered the cancellation with HTTP ${status}` };
  }
  return canceledOr(read(await ask(poll)));
}

/** What it means for a cancellation that a poll tells this. */
export function canceledOr(poll: PollOutcome): CancelOutcome {
  switch (poll.kind) {
    case 'succeeded':
      return { kind: 'too_late' };
    case 'failed':
      return poll.code === 'canceled' ? { kind: 'canceled' } : { kind: 'unsupported' };
    case 'running':
      return { kind: 'unsupported' };
    case 'unclear':
      return { kind: 'unclear', message: poll.message };
  }
}
