import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { at, saysNothing } from '../media/lenient.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { finishedWithout } from '../media/outcomes/task-state.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf } from './errors.ts';
import { MARKED } from './submit.ts';
import { WireTask } from './wire.ts';

export function viduPoll(job: UpstreamJob): VendorCall {
  return { method: 'GET', path: `/tasks/${encodeURIComponent(job.upstreamId)}/creations` };
}

/** Reads a task. Each poll returns freshly signed URLs. */
export function readViduPoll(tools: WireTools, response: UpstreamResponse, job: UpstreamJob): PollOutcome {
  const { status, body } = response;
  const later = tools.later(response);
  if (status !== 200) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the poll`, ...later };
  }
  const task = WireTask.parse(body);
  switch (task?.state) {
    case 'created':
    case 'queueing':
    case 'processing':
      return { kind: 'running', ...later };
    case 'success': {
      const [video] = task.creations ?? [];
      const url = job.path === MARKED ? (video?.watermarked_url ?? video?.url) : video?.url;
      if (url === undefined) return finishedWithout('a video', saysNothing(at(body, 'creations'), 'url'), later);
      const size = sizeOf(video?.video?.resolution);
      return { kind: 'succeeded', outputs: [{ url }], ...(size !== undefined && { size }) };
    }
    case 'failed':
      if (task.err_code === 'UserCancelled') {
        return { kind: 'failed', code: 'canceled', message: 'The video was canceled at the upstream' };
      }
      return {
        kind: 'failed',
        code: failureCodeOf(decisionOf(200, task.err_code)),
        message: tools.reason(task.err_code, 'The upstream failed without a reason', job),
      };
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}

function sizeOf(frame: { width?: number | undefined; height?: number | undefined } | undefined): string | undefined {
  const { width = 0, height = 0 } = frame ?? {};
  return Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0
    ? `${width}x${height}`
    : undefined;
}
