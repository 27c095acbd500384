import type { CancelOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import { cancelQueued } from '../media/cancel-queued.ts';
import type { AskVendor } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { readVideosPoll, videosPoll } from './poll.ts';

/**
 * Cancels a job with `DELETE /videos/{id}`. OpenAI offers that for finished jobs alone, whose file it removes, and
 * refuses others; resellers cancel with it what has not finished. So only what has not finished is removed.
 * @param answer of a poll
 */
export function cancelVideo(
  tools: WireTools,
  answer: UpstreamAnswer,
  job: UpstreamJob,
  ask: AskVendor,
): Promise<CancelOutcome> {
  const poll = videosPoll(job);
  const read = (polled: UpstreamAnswer) => readVideosPoll(tools, polled, job);
  return cancelQueued(
    { poll, removal: { ...poll, method: 'DELETE' }, isQueued: () => read(answer).kind === 'running', read },
    answer,
    ask,
  );
}
