import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { failureCodeOf } from '../media/verdict.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { verdictOf } from './errors.ts';
import { TASKS_PATH } from './submit.ts';
import { WireTask } from './wire.ts';

/** The call that asks for a task. */
export function arkPoll(job: UpstreamJob): VendorCall {
  return { method: 'GET', path: `${TASKS_PATH}/${encodeURIComponent(job.upstreamId)}` };
}

/** Reads a task. That it failed comes with HTTP 200. */
export function readArkPoll(tools: WireTools, answer: UpstreamAnswer, job: UpstreamJob): PollOutcome {
  const { status, body } = answer;
  const later = tools.later(answer);
  if (status !== 200) {
    return { kind: 'unclear', message: `The upstream answered the poll with HTTP ${status}`, ...later };
  }
  const task = WireTask.parse(body);
  switch (task?.status) {
    case 'queued':
    case 'running':
      return { kind: 'running', ...later };
    case 'succeeded': {
      const url = task.content?.video_url;
      if (url === undefined) {
        return { kind: 'failed', code: 'provider_error', message: 'The upstream finished without a video' };
      }
      const { duration, seed } = task;
      return {
        kind: 'succeeded',
        outputs: [{ url }],
        ...(duration !== undefined && duration > 0 && { seconds: String(duration) }),
        ...(Number.isSafeInteger(seed) && { seed }),
      };
    }
    case 'failed':
      return {
        kind: 'failed',
        code: failureCodeOf(verdictOf(200, task.error)),
        message: tools.reason(task.error?.message, 'The upstream failed without a reason', job),
      };
    case 'cancelled':
      return { kind: 'failed', code: 'canceled', message: 'The video was canceled at the upstream' };
    case 'expired':
      return { kind: 'failed', code: 'provider_error', message: 'The upstream let the task wait for too long' };
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream told a status that is not known', ...later };
  }
}
