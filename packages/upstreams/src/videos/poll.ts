import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import { retryAfterMs } from '../http/retry-after.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import { credentialHeaders, jobUrl, secretsOf, type VideosOptions } from './account.ts';
import { failureCode, reasonFor } from './refusal.ts';
import { readJob, type WireJob } from './wire.ts';

/**
 * Status words, lower case. The wire knows queued, in_progress, completed and failed; the rest comes from resellers
 * that speak it over other vendors. A word that is not here decides nothing.
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

/** Asks how a job is doing. Only a well-formed terminal word ends it; whatever is not understood is `unclear`. */
export async function pollVideo(options: VideosOptions, job: UpstreamJob, signal: AbortSignal): Promise<PollOutcome> {
  try {
    const answer = await options.fetchUpstream({
      method: 'GET',
      url: jobUrl(job),
      headers: credentialHeaders(options, job),
      taskId: job.taskId,
      timeoutMs: options.timeouts.pollMs,
      signal,
    });
    return readPollAnswer(options, job, answer);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    options.logger.debug(
      { upstream: options.name, task: job.taskId, failure: error.failure, code: errorCode(error) },
      'a poll got no answer',
    );
    return { kind: 'unclear', message: error.message };
  }
}

function readPollAnswer(options: VideosOptions, job: UpstreamJob, answer: UpstreamAnswer): PollOutcome {
  const { status, headers, body } = answer;
  const wait = retryAfterMs(headers, options.now());
  const later = wait === undefined ? {} : { retryAfterMs: wait };
  if (status < 200 || status > 299) {
    return { kind: 'unclear', message: `The upstream answered the poll with HTTP ${status}`, ...later };
  }
  const seen = readJob(body);
  if (seen === undefined)
    return { kind: 'unclear', message: 'The upstream answered the poll with no object', ...later };
  return outcomeOf(seen, secretsOf(options, job), later);
}

function outcomeOf(seen: WireJob, hide: string[], later: { retryAfterMs?: number }): PollOutcome {
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
      const message = reasonFor(seen.error, 'The upstream failed without a reason', hide);
      return { kind: 'failed', code: failureCode(seen.error), message };
    }
    case 'canceled':
      return { kind: 'failed', code: 'canceled', message: 'The video was canceled at the upstream' };
    case undefined:
      return { kind: 'unclear', message: 'The upstream told a status that is not known', ...later };
  }
}
