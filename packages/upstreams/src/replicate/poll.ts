import type { CancelOutcome, JobOutput, MediaKind, PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { canceledOr } from '../media/cancel-queued.ts';
import type { CallVendor, VendorCall } from '../media/media-wire.ts';
import { urlsIn, videoAmong } from '../media/urls-in.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { failureCode, laterOf, decisionOf } from './errors.ts';
import { RESPONSE_BYTES } from './submit.ts';
import { WirePrediction, WireRefusal } from './wire.ts';

function predictionPath({ upstreamId }: UpstreamJob): string {
  return `/predictions/${encodeURIComponent(upstreamId)}`;
}

export function replicatePoll(job: UpstreamJob): VendorCall {
  return { method: 'GET', path: predictionPath(job), maxResponseBytes: RESPONSE_BYTES };
}

export function readReplicatePoll(
  tools: WireTools,
  kind: MediaKind,
  response: UpstreamResponse,
  job: UpstreamJob,
): PollOutcome {
  if (response.status !== 200) {
    const message = `The upstream returned HTTP ${response.status} for the poll`;
    return { kind: 'unclear', message, ...laterOf(tools, response, WireRefusal.parse(response.body)?.detail) };
  }
  return readPrediction(tools, kind, response, job);
}

/** Replicate docs, "Prediction lifecycle": `aborted` means canceled before it started. */
function readPrediction(tools: WireTools, kind: MediaKind, response: UpstreamResponse, job: UpstreamJob): PollOutcome {
  const { status, output, error, logs, data_removed: isRemoved } = WirePrediction.parse(response.body) ?? {};
  const later = tools.later(response);
  switch (status) {
    case 'starting':
    case 'processing':
      return { kind: 'running', ...progressIn(logs), ...later };
    case 'succeeded': {
      const outputs = outputsOf(kind, output);
      if (outputs.length > 0) return { kind: 'succeeded', outputs };
      if (isRemoved === true) {
        return { kind: 'failed', code: 'content_expired', message: 'The upstream deleted the output' };
      }
      const message = tools.reason(error, 'The upstream finished without a file', job);
      return { kind: 'failed', code: failureCode(error), message };
    }
    case 'failed': {
      const message = tools.reason(error, 'The upstream failed without a reason', job);
      return { kind: 'failed', code: failureCode(error), message };
    }
    case 'canceled':
    case 'aborted':
      return { kind: 'failed', code: 'canceled', message: 'The job was canceled at the upstream' };
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}

function outputsOf(kind: MediaKind, output: unknown): JobOutput[] {
  const urls = urlsIn(output);
  const video = kind === 'video' ? videoAmong(urls) : undefined;
  return video === undefined ? urls.map((url) => ({ url })) : [{ url: video }];
}

/** Characters read from the end of a log. */
const LOG_END = 4096;

/** The last progress bar in a log (`76%|████ | 7568/10000`), parsed as in replicate 1.4.0. */
function progressIn(logs: string | undefined): { progress?: number } {
  const bars = logs?.slice(-LOG_END).matchAll(/^[ \t]*(\d{1,3})%[ \t]*\|[^|\n]+\|[ \t]*\d+\/\d+/gm) ?? [];
  const last = [...bars].at(-1)?.[1];
  const progress = Number(last);
  return last !== undefined && progress <= 100 ? { progress } : {};
}

export function replicateCancellation(job: UpstreamJob): VendorCall {
  return { method: 'POST', path: `${predictionPath(job)}/cancel`, maxResponseBytes: RESPONSE_BYTES };
}

/**
 * Reads a cancellation, which returns the prediction; a running one is being stopped. After a refusal, a poll decides.
 */
export async function readReplicateCancellation(
  tools: WireTools,
  kind: MediaKind,
  response: UpstreamResponse,
  job: UpstreamJob,
  ask: CallVendor,
): Promise<CancelOutcome> {
  const { status } = response;
  if (status >= 200 && status < 300) {
    const prediction = readPrediction(tools, kind, response, job);
    return prediction.kind === 'running' ? { kind: 'canceled' } : canceledOr(prediction);
  }
  if (decisionOf(status, undefined) !== 'invalid') {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the cancellation` };
  }
  return canceledOr(readReplicatePoll(tools, kind, await ask(replicatePoll(job)), job));
}
