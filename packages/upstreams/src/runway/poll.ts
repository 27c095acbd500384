import type { MediaKind, PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { QueuedCancellation } from '../media/cancel-queued.ts';
import type { VendorCall } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { failureOf } from './errors.ts';
import { WireTask } from './wire.ts';

/** Runway docs, "Get task": minimum interval between polls. */
const MIN_WAIT_MS = 5000;

function taskCall(method: 'GET' | 'DELETE', { upstreamId }: UpstreamJob): VendorCall {
  return { method, path: `/v1/tasks/${encodeURIComponent(upstreamId)}` };
}

export function runwayPoll(job: UpstreamJob): VendorCall {
  return taskCall('GET', job);
}

/** Reads a task. `THROTTLED` is Runway's own queue for tasks beyond the account's concurrency. */
export function readRunwayPoll(tools: WireTools, kind: MediaKind, response: UpstreamResponse): PollOutcome {
  const { status, body } = response;
  const later = tools.later(response);
  if (status !== 200) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the poll`, ...later };
  }
  const { status: state, progress, output, failureCode } = WireTask.parse(body) ?? {};
  switch (state) {
    case 'PENDING':
    case 'THROTTLED':
    case 'RUNNING': {
      const percent = progress === undefined ? undefined : Math.round(100 * progress);
      const isSane = percent !== undefined && percent >= 0 && percent <= 100;
      const retryAfterMs = Math.max(MIN_WAIT_MS, later.retryAfterMs ?? 0);
      return { kind: 'running', ...(isSane && { progress: percent }), retryAfterMs };
    }
    case 'SUCCEEDED': {
      const outputs = (output ?? []).flatMap((url) => (url === undefined ? [] : [{ url }]));
      // Some video formats have a separate sound file.
      if (outputs.length > 0) return { kind: 'succeeded', outputs: kind === 'video' ? outputs.slice(0, 1) : outputs };
      return { kind: 'failed', code: 'provider_error', message: 'The upstream finished without a file' };
    }
    case 'FAILED':
      return { kind: 'failed', ...failureOf(failureCode) };
    case 'CANCELLED':
      return { kind: 'failed', code: 'canceled', message: 'The task was canceled at the upstream' };
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}

const UNFINISHED = new Set(['PENDING', 'THROTTLED', 'RUNNING']);

/** Cancels a task: `DELETE` stops an unfinished one, but permanently removes any other with its file. */
export function runwayCancellation(tools: WireTools, kind: MediaKind, job: UpstreamJob): QueuedCancellation {
  return {
    poll: runwayPoll(job),
    removal: taskCall('DELETE', job),
    isQueued: (body) => UNFINISHED.has(WireTask.parse(body)?.status ?? ''),
    read: (response) => readRunwayPoll(tools, kind, response),
  };
}
