import type { ContentOutcome, UpstreamJob } from '@sluice/canonical';
import type { Downloaded } from '../http/download.ts';
import { DownloadError } from '../http/download-error.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { discard } from '../http/send-request.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import { credentialHeaders, jobUrl, type VideosOptions } from './account.ts';
import { readJob, type WireJob } from './wire.ts';

/**
 * Opens the finished file: `GET /videos/{id}/content`, which may redirect. The credential stays with the origin that
 * accepted the job. Resellers without that endpoint name the file's place in the job, so a 403 or 404 leads there.
 * Neither says that the file is gone: it may appear a moment after `completed`, and a key may be on its way to be
 * changed. So such an answer is `denied` where the job itself can be asked for. Only a 410, or an end that the job tells
 * and that has passed, is `expired`.
 */
export async function openVideo(
  options: VideosOptions,
  job: UpstreamJob,
  signal: AbortSignal,
): Promise<ContentOutcome> {
  try {
    const answer = await openUrl(options, job, jobUrl(job, '/content'), signal);
    if (!isDenied(answer.status)) return readContentAnswer(options, answer);
    discard(answer.body);
    const seen = await readAgain(options, job, signal);
    if (seen?.url === undefined) return readContentAnswer(options, answer, seen);
    return readContentAnswer(options, await openUrl(options, job, seen.url, signal), seen);
  } catch (error) {
    if (error instanceof UpstreamError) return { kind: 'unclear', message: error.message };
    if (!(error instanceof DownloadError)) throw error;
    options.logger.warn(
      {
        upstream: options.name,
        task: job.taskId,
        failure: error.failure,
        origin: error.origin,
        code: errorCode(error.cause),
      },
      'content could not be opened',
    );
    // Known from the length that was told, so another try would find the same.
    if (error.failure === 'too_large') return { kind: 'refused', code: 'provider_error', message: error.message };
    return { kind: 'unclear', message: error.message };
  }
}

function isDenied(status: number): boolean {
  return status === 403 || status === 404;
}

function openUrl(options: VideosOptions, job: UpstreamJob, url: string, signal: AbortSignal): Promise<Downloaded> {
  return options.download(url, {
    headers: { ...credentialHeaders(options, job), accept: 'video/mp4, application/binary, */*;q=0.8' },
    credentialsOrigin: new URL(job.baseUrl).origin,
    signal,
  });
}

/** What the job's own answer says of the file; nothing when there is no such answer. */
async function readAgain(options: VideosOptions, job: UpstreamJob, signal: AbortSignal): Promise<WireJob | undefined> {
  const { status, body } = await options.fetchUpstream({
    method: 'GET',
    url: jobUrl(job),
    headers: credentialHeaders(options, job),
    taskId: job.taskId,
    timeoutMs: options.timeouts.pollMs,
    signal,
  });
  // Were the whole job away for a moment, the file would be as well.
  if (status >= 500 || status === 429) throw new UpstreamError('reset', 'maybe');
  return status === 200 ? readJob(body) : undefined;
}

function readContentAnswer(options: VideosOptions, answer: Downloaded, seen?: WireJob): ContentOutcome {
  const { status, headers, body, bytes } = answer;
  const type = headers['content-type'] ?? '';
  if (status === 200 && !/^(application\/json|text\/)/i.test(type)) {
    return { kind: 'opened', body, ...(bytes === undefined ? {} : { bytes }) };
  }
  discard(body);
  const hasPassed = seen?.expiresAt !== undefined && seen.expiresAt <= options.now();
  if (status === 410 || (isDenied(status) && hasPassed)) {
    return { kind: 'expired', message: `The upstream no longer gives the file (HTTP ${status})` };
  }
  const wait = retryAfterMs(headers, options.now());
  if (seen && isDenied(status) && wait === undefined) {
    return { kind: 'denied', message: `The upstream refuses the file (HTTP ${status})` };
  }
  const what = status === 200 ? 'something that is no file' : `HTTP ${status}`;
  return {
    kind: 'unclear',
    message: `The upstream answered the download with ${what}`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}
