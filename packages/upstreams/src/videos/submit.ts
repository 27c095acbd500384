import { Readable } from 'node:stream';
import { type MediaSubmission, type SubmitOutcome, UnsupportedWishError, type VideoRequest } from '@sluice/canonical';
import type { UpstreamAnswer, UpstreamBody } from '../http/fetch-upstream.ts';
import { boundaryOf, type Form, multipartBody } from '../http/multipart-body.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import { credentialHeaders, secretsOf, withoutSlash, type VideosOptions } from './account.ts';
import { formFields } from './form-fields.ts';
import { planVideo } from './plan.ts';
import { errorTopic, reasonFor } from './refusal.ts';
import { readJob, readWireError } from './wire.ts';

/** Statuses with which the upstream says that this request will never do. */
const REFUSALS = new Set([400, 404, 413, 422]);

/**
 * Submits a video, or a variation of one: one POST, never repeated here.
 *
 * - 2xx with an id → `accepted`. 2xx without one → `unknown`: the upstream may be working on it.
 * - 429, 503, and whatever kept the first byte from leaving → `busy`.
 * - 401, 402, 403, no balance → `account`; but a refusal that names moderation is the request's fault at any 4xx.
 * - 400, 404, 413, 422 → `rejected`.
 * - everything else → `unknown`.
 */
export async function submitVideo(
  options: VideosOptions,
  submission: MediaSubmission<VideoRequest>,
  signal: AbortSignal,
): Promise<SubmitOutcome> {
  const call = await callFor(options, submission);
  if ('kind' in call) return call;
  try {
    const answer = await options.fetchUpstream({
      method: 'POST',
      url: `${withoutSlash(options.baseUrl)}${call.path}`,
      headers: credentialHeaders(options),
      body: call.body,
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
    if (call.picture instanceof Readable) call.picture.destroy();
  }
}

interface SubmitCall {
  /** Below the base URL. */
  path: string;
  body: UpstreamBody;
  /** Open, to be closed by whoever sends it. */
  picture?: AsyncIterable<Uint8Array>;
}

/** Puts the call together; the outcome instead where it cannot be. */
async function callFor(
  options: VideosOptions,
  { taskId, model, request, images }: MediaSubmission<VideoRequest>,
): Promise<SubmitCall | SubmitOutcome> {
  try {
    const plan = planVideo(request, () => undefined); // reviewed before the task was recorded
    if (request.remix !== undefined) {
      const path = `/videos/${encodeURIComponent(request.remix.upstreamId)}/remix`;
      return { path, body: { kind: 'json', value: { prompt: request.prompt } } };
    }
    const [image] = images;
    // Before the request, so that a picture which is gone costs no attempt of unknown outcome.
    const picture = image && (await image.open());
    const form: Form = { fields: formFields(model, { ...request, ...plan }), files: [] };
    if (image && picture) {
      const { filename, mediaType, bytes } = image;
      form.files.push({ name: 'input_reference', filename, mediaType, bytes, source: picture });
    }
    return { path: '/videos', body: multipartBody(form, boundaryOf(taskId)), ...(picture && { picture }) };
  } catch (error) {
    if (error instanceof UnsupportedWishError) {
      return { kind: 'rejected', code: 'invalid_request', message: `The model cannot do it: ${error.message}` };
    }
    options.logger.warn({ upstream: options.name, code: errorCode(error) }, 'a picture could not be opened');
    // Ours to mend, not the client's: the task waits as it does for an upstream that is busy.
    return { kind: 'busy', code: 'provider_error', message: 'The picture to be sent could not be read' };
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
