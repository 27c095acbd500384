import type { CancelOutcome, PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import type { AskVendor } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { arkPoll, readArkPoll } from './poll.ts';
import { WireTask } from './wire.ts';

/**
 * Cancels a task with DELETE, which Ark has for two things: a queued task it cancels, a finished one it forgets, result
 * and all, and a running one it refuses (Volcengine docs 82379/1521720). So the task is looked at first, and once more
 * after a refusal.
 * @param answer of a poll
 */
export async function cancelArk(
  tools: WireTools,
  answer: UpstreamAnswer,
  job: UpstreamJob,
  ask: AskVendor,
): Promise<CancelOutcome> {
  if (answer.status === 200 && WireTask.parse(answer.body)?.status === 'queued') {
    const { status } = await ask({ ...arkPoll(job), method: 'DELETE' });
    if (status >= 200 && status < 300) return { kind: 'canceled' };
    if (status < 400 || status > 499 || status === 401 || status === 403 || status === 429) {
      return { kind: 'unclear', message: `The upstream answered the cancellation with HTTP ${status}` };
    }
    return ended(readArkPoll(tools, await ask(arkPoll(job)), job));
  }
  return ended(readArkPoll(tools, answer, job));
}

function ended(poll: PollOutcome): CancelOutcome {
  switch (poll.kind) {
    case 'succeeded':
      return { kind: 'too_late' };
    case 'failed':
      return poll.code === 'canceled' ? { kind: 'canceled' } : { kind: 'unsupported' };
    case 'running':
      return { kind: 'unsupported' };
    case 'unclear':
      return { kind: 'unclear', message: poll.message };
  }
}
