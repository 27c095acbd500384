import type { CancelOutcome, PollOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { CallVendor, VendorCall } from './media-wire.ts';

/** For vendors whose DELETE cancels queued jobs but deletes finished ones. */
export interface QueuedCancellation {
  poll: VendorCall;
  /** Sent only for a queued job. */
  removal: VendorCall;
  isQueued: (body: unknown) => boolean;
  read: (response: UpstreamResponse) => PollOutcome;
}

/**
 * Cancels a queued job. The deletion would remove a finished job with its result, so the job is polled first, and again
 * after a refusal.
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
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the cancellation` };
  }
  return canceledOr(read(await ask(poll)));
}

/** The outcome of a cancellation, by a poll. */
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
