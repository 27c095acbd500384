import { Readable } from 'node:stream';
import type { OpenedImage, SubmitOutcome, VideoSubmission } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import { multipartBody } from '../http/multipart-body.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import { credentialHeaders, secretsOf, withoutSlash, type VideosOptions } from './account.ts';
import { formFields } from './form-fields.ts';
import { errorTopic, reasonFor } from './refusal.ts';
import { readJob, readWireError } from './wire.ts';

/** Statuses with which the upstream says that this request will never do. */
const REFUSALS = new Set([400, 404, 413, 422]);

/**
 * Submits a video: one POST, never repeated here.
 *
 * - 2xx with an id → `accepted`. 2xx without one → `unknown`: the upstream may be working on it.
 * - 429, 503, and whatever kept the first byte from leaving → `busy`.
 * - 401, 402, 403, no balance → `account`; but a refusal that names moderation is the request's fault at any 4xx.
 * - 400, 404, 413, 422 → `rejected`.
 * - everything else → `unknown`.
 */
export async function submitVideo(
  options: VideosOptions,
  submission: VideoSubmission,
  signal: AbortSignal,
): Promise<SubmitOutcome> {
  const [image, ...more] = submission.images;
  if (more.length > 0 || image?.role === 'last_frame') {
    const message = 'This model takes one picture, as the first frame or as a reference';
    return { kind: 'rejected', code: 'invalid_request', message };
  }
  const opened = await openPicture(options, image);
  if (opened === 'failed') {
    // Ours to mend, not the client's: the task waits as it does for an upstream that is busy.
    return { kind: 'busy', code: 'provider_error', message: 'The picture to be sent could not be read' };
  }
  try {
    const answer = await options.fetchUpstream({
      method: 'POST',
      url: `${withoutSlash(options.baseUrl)}/videos`,
      headers: credentialHeaders(options),
      body: multipartBody(
        { fields: formFields(submission.model, submission.request), files: opened === undefined ? [] : [opened] },
        // Task ids are unguessable, so no part of the form can hold the boundary.
        `sluice-${submission.taskId.replaceAll(/[^\w-]/g, '').slice(0, 60)}`,
      ),
      taskId: submission.taskId,
      timeoutMs: options.timeouts.submitMs,
      signal,
    });
    return readSubmitAnswer(options, answer);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    options.logger.warn(
      {
        upstream: options.name,
        task: submission.taskId,
        failure: error.failure,
        sent: error.sent,
        code: errorCode(error),
      },
      'a submission got no answer',
    );
    if (error.sent === 'maybe') return { kind: 'unknown', message: error.message };
    return { kind: 'busy', code: 'provider_error', message: error.message };
  } finally {
    if (opened?.source instanceof Readable) opened.source.destroy();
  }
}

async function openPicture(options: VideosOptions, image: OpenedImage | undefined) {
  if (image === undefined) return undefined;
  try {
    // Before the request, so that a picture which is gone costs no attempt of unknown outcome.
    const source = await image.open();
    const { filename, mediaType, bytes } = image;
    return { name: 'input_reference', filename, mediaType, bytes, source };
  } catch (error) {
    options.logger.warn({ upstream: options.name, code: errorCode(error) }, 'a picture could not be opened');
    return 'failed';
  }
}

function readSubmitAnswer(options: VideosOptions, answer: UpstreamAnswer): SubmitOutcome {
  const { status, headers, body } = answer;
  const wait = retryAfterMs(headers, options.now());
  const later = wait === undefined ? {} : { retryAfterMs: wait };
  if (status >= 200 && status < 300) {
    const job = readJob(body);
    if (job?.id === undefined || !isUsableId(job.id)) {
      return { kind: 'unknown', message: `The upstream answered HTTP ${status} without an id` };
    }
    return {
      kind: 'accepted',
      upstreamId: job.id,
      ...(job.seconds === undefined ? {} : { seconds: job.seconds }),
      ...(job.size === undefined ? {} : { size: job.size }),
      ...later,
    };
  }
  if (status === 503) {
    return { kind: 'busy', code: 'provider_error', message: 'The upstream is not available (HTTP 503)', ...later };
  }
  if (status < 400 || status > 499) return { kind: 'unknown', message: `The upstream answered HTTP ${status}` };

  const error = readWireError(body);
  const topic = errorTopic(error);
  if (status === 402 || (topic === 'balance' && [400, 403, 429].includes(status))) {
    return { kind: 'account', code: 'provider_quota', message: `The upstream account has no balance (HTTP ${status})` };
  }
  if (status === 429) {
    return {
      kind: 'busy',
      code: 'rate_limited',
      message: 'The upstream takes no more requests now (HTTP 429)',
      ...later,
    };
  }
  const reason = reasonFor(error, `The upstream refused the request (HTTP ${status})`, secretsOf(options));
  if (topic === 'moderation' && (REFUSALS.has(status) || status === 403)) {
    return { kind: 'rejected', code: 'content_policy', message: reason };
  }
  if (status === 401 || status === 403) {
    return { kind: 'account', code: 'provider_auth', message: `The upstream refused its credential (HTTP ${status})` };
  }
  if (REFUSALS.has(status)) return { kind: 'rejected', code: 'invalid_request', message: reason };
  return { kind: 'unknown', message: `The upstream answered HTTP ${status}` };
}

/** An id that can be asked for again: one path segment of visible characters. */
function isUsableId(id: string): boolean {
  return id.length <= 512 && /^[\x21-\x7e]+$/.test(id) && id !== '.' && id !== '..';
}
