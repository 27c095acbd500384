import type { CancelOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { cancelQueued } from '../media/cancel-queued.ts';
import type { CallVendor } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { readVideosPoll, videosPoll } from './poll.ts';

/**
 * Cancels a job with `DELETE /videos/{id}`. OpenAI deletes only finished jobs, with their file, and refuses others;
 * resellers cancel unfinished ones. So only unfinished jobs are deleted.
 * @param response of a poll
 */
export function cancelVideo(
  tools: WireTools,
  response: UpstreamResponse,
  job: UpstreamJob,
  ask: CallVendor,
): Promise<CancelOutcome> {
  const poll = videosPoll(job);
  const read = (polled: UpstreamResponse) => readVideosPoll(tools, polled, job);
  return cancelQueued(
    { poll, removal: { ...poll, method: 'DELETE' }, isQueued: () => read(response).kind === 'running', read },
    response,
    ask,
  );
}
