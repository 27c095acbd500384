import type { CancelOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import type { AskVendor } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { readVideosPoll, videosPoll } from './poll.ts';

/**
 * Reads the answer to `DELETE /videos/{id}`. OpenAI offers that for finished jobs alone and refuses others, so after a
 * refusal a poll tells whether the job had finished.
 */
export async function readCancellation(
  tools: WireTools,
  { status }: UpstreamAnswer,
  job: UpstreamJob,
  ask: AskVendor,
): Promise<CancelOutcome> {
  if (status >= 200 && status < 300) return { kind: 'canceled' };
  if (status === 404 || status === 405) return { kind: 'unsupported' };
  if (status !== 400 && status !== 409) {
    return { kind: 'unclear', message: `The upstream answered the cancellation with HTTP ${status}` };
  }
  const poll = readVideosPoll(tools, await ask(videosPoll(job)), job);
  return poll.kind === 'succeeded' ? { kind: 'too_late' } : { kind: 'unsupported' };
}
