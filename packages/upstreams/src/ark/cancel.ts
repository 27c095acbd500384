import type { CancelOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { cancelQueued } from '../media/cancel-queued.ts';
import type { CallVendor } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { arkPoll, readArkPoll } from './poll.ts';
import { WireTask } from './wire.ts';

/** Cancels a task with DELETE, which Ark refuses for running tasks (Volcengine docs 82379/1521720). */
export function cancelArk(
  tools: WireTools,
  response: UpstreamResponse,
  job: UpstreamJob,
  ask: CallVendor,
): Promise<CancelOutcome> {
  const poll = arkPoll(job);
  return cancelQueued(
    {
      poll,
      removal: { ...poll, method: 'DELETE' },
      isQueued: (body) => WireTask.parse(body)?.status === 'queued',
      read: (polled) => readArkPoll(tools, polled, job),
    },
    response,
    ask,
  );
}
