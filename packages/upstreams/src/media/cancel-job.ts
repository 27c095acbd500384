import { type CancelOutcome, type PollOutcome, type UpstreamJob, unexpectedMessage } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { Cancellation, CallVendor, VendorCall } from './media-wire.ts';
import type { WireTools } from './wire-tools.ts';

interface Poller {
  call: VendorCall | undefined;
  read(response: UpstreamResponse): PollOutcome | Promise<PollOutcome>;
}

export async function cancelJob(
  { call: callFor, isCancelable, read = byStatus }: Cancellation,
  job: UpstreamJob,
  poll: Poller,
  tools: WireTools,
  send: CallVendor,
): Promise<CancelOutcome> {
  const call = callFor(job);
  if (!call) return { kind: 'unsupported' };
  if (isCancelable && poll.call) {
    const response = await send(poll.call);
    if (response.status !== 200 || !isCancelable(response.body)) return canceledOr(await poll.read(response));
  }
  const outcome = read(await send(call), job, tools);
  if (outcome) return outcome;
  return poll.call ? canceledOr(await poll.read(await send(poll.call))) : { kind: 'unsupported' };
}

/** Returns undefined for a 4xx status which means that the job cannot be canceled in its current state. */
function byStatus({ status }: UpstreamResponse): CancelOutcome | undefined {
  if (status >= 200 && status < 300) return { kind: 'canceled' };
  return status < 400 || status > 499 || status === 401 || status === 403 || status === 429
    ? unclearCancellation(status)
    : undefined;
}

export function unclearCancellation(status: number): CancelOutcome {
  return { kind: 'unclear', message: unexpectedMessage(`HTTP ${status}`, 'cancellation') };
}

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
