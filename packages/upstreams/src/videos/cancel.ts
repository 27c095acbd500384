import type { CancelOutcome, UpstreamJob } from '@sluice/canonical';
import { UpstreamError } from '../http/upstream-error.ts';
import { credentialHeaders, jobUrl, type VideosOptions } from './account.ts';
import { pollVideo } from './poll.ts';

/**
 * Cancels a job with `DELETE /videos/{id}`. OpenAI offers that for finished jobs alone and refuses others, so after a
 * refusal a poll tells whether the job had finished.
 */
export async function cancelVideo(
  options: VideosOptions,
  job: UpstreamJob,
  signal: AbortSignal,
): Promise<CancelOutcome> {
  try {
    const { status } = await options.fetchUpstream({
      method: 'DELETE',
      url: jobUrl(job),
      headers: credentialHeaders(options, job),
      taskId: job.taskId,
      timeoutMs: options.timeouts.pollMs,
      signal,
    });
    if (status >= 200 && status < 300) return { kind: 'canceled' };
    if (status === 404 || status === 405) return { kind: 'unsupported' };
    if (status !== 400 && status !== 409) {
      return { kind: 'unclear', message: `The upstream answered the cancellation with HTTP ${status}` };
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { kind: 'unclear', message: error.message };
  }
  const poll = await pollVideo(options, job, signal);
  return poll.kind === 'succeeded' ? { kind: 'too_late' } : { kind: 'unsupported' };
}
