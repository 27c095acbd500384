import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { openAiFailure } from '../media/outcomes/openai-error.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { jobPath } from './job-path.ts';
import { readJob, type WireJob } from './wire.ts';

/**
 * Statuses in lower case. OpenAI has queued, in_progress, completed, and failed; the others come from resellers over
 * other vendors. An unlisted status decides nothing.
 */
const WORDS = {
  running: [
    'queued',
    'in_progress',
    'pending',
    'created',
    'submitted',
    'preparing',
    'queueing',
    'in_queue',
    'waiting',
    'not_start',
    'not_started',
    'starting',
    'processing',
    'running',
    'generating',
  ],
  succeeded: ['completed', 'succeeded', 'succeed', 'success', 'done'],
  failed: ['failed', 'failure', 'fail'],
  canceled: ['canceled', 'cancelled'],
} as const;
const MEANINGS = new Map(
  (['running', 'succeeded', 'failed', 'canceled'] as const).flatMap((meaning) =>
    WORDS[meaning].map((word: string) => [word, meaning] as const),
  ),
);

export function videosPoll(job: UpstreamJob): VendorCall {
  return { method: 'GET', path: jobPath(job) };
}

/** Reads a job. Only a known terminal status ends it; anything else is `unclear`. */
export function readVideosPoll(tools: WireTools, response: UpstreamResponse, job: UpstreamJob): PollOutcome {
  const { status, body } = response;
  const later = tools.later(response);
  if (status < 200 || status > 299) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the poll`, ...later };
  }
  const seen = readJob(body);
  if (seen === undefined) {
    return { kind: 'unclear', message: 'The upstream returned an invalid poll response', ...later };
  }
  return outcomeOf(tools, seen, job, later);
}

function outcomeOf(tools: WireTools, seen: WireJob, job: UpstreamJob, later: { retryAfterMs?: number }): PollOutcome {
  switch (MEANINGS.get(seen.status ?? '')) {
    case 'running':
      return { kind: 'running', ...(seen.progress === undefined ? {} : { progress: seen.progress }), ...later };
    case 'succeeded':
      return {
        kind: 'succeeded',
        ...(seen.seconds === undefined ? {} : { seconds: seen.seconds }),
        ...(seen.size === undefined ? {} : { size: seen.size }),
      };
    case 'failed': {
      const message = tools.reason(seen.error?.message, 'The upstream failed without a reason', job);
      return { kind: 'failed', code: openAiFailure(seen.error), message };
    }
    case 'canceled':
      return { kind: 'failed', code: 'canceled', message: 'The video was canceled at the upstream' };
    case undefined:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}
