import type { CancelOutcome, MediaKind, PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { CallVendor, VendorCall } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { failureCode, wordsOf } from './errors.ts';
import { modelPathOf } from './model-path.ts';
import { readFalResult } from './result.ts';
import { RESPONSE_BYTES } from './submit.ts';
import { WireRefusal, WireResult, WireStatus } from './wire.ts';

function requestPath({ path, model, upstreamId }: UpstreamJob): string {
  return `/${path ?? modelPathOf(model).app}/requests/${encodeURIComponent(upstreamId)}`;
}

export function falPoll(job: UpstreamJob): VendorCall {
  return { method: 'GET', path: `${requestPath(job)}/status` };
}

/**
 * Reads the status, which comes with HTTP 202 until it is `COMPLETED`. `COMPLETED` only means that the run has ended:
 * the result decides whether it succeeded.
 */
export async function readFalPoll(
  tools: WireTools,
  kind: MediaKind,
  response: UpstreamResponse,
  job: UpstreamJob,
  ask: CallVendor,
): Promise<PollOutcome> {
  const later = tools.later(response);
  if (response.status !== 200 && response.status !== 202) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${response.status} for the poll`, ...later };
  }
  const state = WireStatus.parse(response.body);
  if (state?.status === 'IN_QUEUE' || state?.status === 'IN_PROGRESS') return { kind: 'running', ...later };
  if (state?.status !== 'COMPLETED') {
    return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
  const result = await ask({ method: 'GET', path: requestPath(job), maxResponseBytes: RESPONSE_BYTES });
  if (result.status === 200) {
    const made = WireResult.parse(result.body);
    return made ? readFalResult(kind, made) : { kind: 'unclear', message: 'The upstream returned an invalid result' };
  }
  const refusal = WireRefusal.parse(result.body);
  const code =
    failureCode(result.status, refusal) ?? ((state.error ?? state.error_type) ? 'provider_error' : undefined);
  if (code === undefined) {
    const message = `The upstream returned HTTP ${result.status} for the result`;
    return { kind: 'unclear', message, ...tools.later(result) };
  }
  const words = wordsOf(refusal) ?? state.error;
  return { kind: 'failed', code, message: tools.reason(words, 'The upstream failed without a reason', job) };
}

/** Removes a queued request, or stops a running one. */
export function falCancellation(job: UpstreamJob): VendorCall {
  return { method: 'PUT', path: `${requestPath(job)}/cancel` };
}

/** Reads `CANCELLATION_REQUESTED`, or `ALREADY_COMPLETED` with HTTP 400. */
export function readFalCancellation({ status, body }: UpstreamResponse): CancelOutcome {
  if (status >= 200 && status < 300) return { kind: 'canceled' };
  if (WireStatus.parse(body)?.status === 'ALREADY_COMPLETED') return { kind: 'too_late' };
  return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the cancellation` };
}
