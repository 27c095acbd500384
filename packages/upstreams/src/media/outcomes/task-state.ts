import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import { failureCodeOf, type Decision } from './decision.ts';
import type { WireTools } from '../wire-tools.ts';

/** A task of a vendor with these states. */
export interface StatedTask {
  /** `queued`, `running`, `succeeded`, `failed`, `cancelled`, or `expired`. */
  status?: string | undefined;
  url?: string | undefined;
  /** Whether a success without a URL is recognizably empty; absent: unknown. */
  isEmpty?: boolean;
  /** The decision for its code, and the vendor's text. */
  failure: { decision: Decision; message?: string | undefined };
  /** Seconds. */
  duration?: number | undefined;
  seed?: number | undefined;
}

/** The outcome of a poll with such a task; an unknown state decides nothing. */
export function stateOutcome(
  tools: WireTools,
  task: StatedTask,
  job: UpstreamJob,
  later: { retryAfterMs?: number },
): PollOutcome {
  switch (task.status) {
    case 'queued':
    case 'running':
      return { kind: 'running', ...later };
    case 'succeeded': {
      const { url, isEmpty = false, duration, seed } = task;
      if (url === undefined) return finishedWithout('a video', isEmpty, later);
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
        code: failureCodeOf(task.failure.decision),
        message: tools.reason(task.failure.message, 'The upstream failed without a reason', job),
      };
    case 'cancelled':
      return { kind: 'failed', code: 'canceled', message: 'The video was canceled at the upstream' };
    case 'expired':
      return { kind: 'failed', code: 'provider_error', message: 'The upstream queued the task for too long' };
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}

/**
 * The outcome of a success without a file: a failure if the vendor reports that there is none, else unclear, because an
 * invalid response is no failure.
 * @param what the expected output: `a video`
 */
export function finishedWithout(what: string, isEmpty: boolean, later: { retryAfterMs?: number }): PollOutcome {
  return isEmpty
    ? { kind: 'failed', code: 'provider_error', message: `The upstream finished without ${what}` }
    : { kind: 'unclear', message: 'The upstream finished without returning a file', ...later };
}
