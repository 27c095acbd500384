import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { googleDecision, type GoogleError } from '../media/outcomes/google-error.ts';
import { madeFile } from '../media/outcomes/made-outcome.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { videoOf, filterReasons, WireOperation } from './wire.ts';

/** A response may hold a video in base64: 8 seconds in high resolution take tens of megabytes. */
const MAX_RESPONSE = 128 * 1024 * 1024;

/** HTTP statuses of gRPC codes (google.rpc.Code); 500 for others, which are ambiguous. */
const STATUS_OF_CODE: Readonly<Record<number, number>> = { 3: 400, 9: 400, 7: 403, 8: 429, 14: 503, 16: 401 };

export function veoPoll({ path, model, upstreamId }: UpstreamJob): VendorCall {
  const name = path ?? `models/${encodeURIComponent(model)}/operations/${encodeURIComponent(upstreamId)}`;
  return { method: 'GET', path: `/${name}`, maxResponseBytes: MAX_RESPONSE };
}

/** Reads an operation. Veo reports no progress. */
export function readVeoPoll(tools: WireTools, response: UpstreamResponse, job: UpstreamJob): PollOutcome {
  const { status, body } = response;
  const later = tools.later(response);
  if (status !== 200) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the poll`, ...later };
  }
  const operation = WireOperation.parse(body);
  if (operation?.name === undefined) {
    return { kind: 'unclear', message: 'The upstream returned a poll response without an operation', ...later };
  }
  if (operation.done !== true) return { kind: 'running', ...later };
  const { error } = operation;
  if (error?.code !== undefined || error?.message !== undefined) {
    const message = tools.reason(error.message, 'The upstream failed without a reason', job);
    return { kind: 'failed', code: failureCodeOf(decisionOf(error)), message };
  }
  const video = videoOf(operation);
  if (video) return { kind: 'succeeded', outputs: [video.uri === undefined ? {} : { url: video.uri }] };
  const reasons = filterReasons(operation);
  if (reasons === undefined) {
    return { kind: 'failed', code: 'provider_error', message: 'The upstream finished without a video' };
  }
  const message = tools.reason(reasons, 'The upstream’s filter blocked the video', job);
  return { kind: 'failed', code: 'content_policy', message };
}

function decisionOf(error: NonNullable<GoogleError>) {
  return googleDecision(STATUS_OF_CODE[error.code ?? 0] ?? 500, error);
}

/** The video, if the poll response contains it inline. */
export function inlineVideo({ status, body }: UpstreamResponse): Uint8Array | undefined {
  const operation = status === 200 ? WireOperation.parse(body) : undefined;
  if (operation?.done !== true) return undefined;
  const video = videoOf(operation);
  return video?.uri === undefined ? madeFile({ base64: video?.base64 })?.bytes : undefined;
}
