import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { at, saysNothing } from '../media/lenient.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { finishedWithout } from '../media/outcomes/task-state.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isModerated, said, decisionOf } from './errors.ts';
import { callOf } from './submit.ts';
import { readJimeng } from './wire.ts';

/**
 * Polls a job. Its `req_key` must be that of the submission: the pinned model.
 * @param options sent as `req_json`: JSON as text
 */
export function pollCall({ model, upstreamId }: UpstreamJob, options?: string): VendorCall {
  return callOf('CVSync2AsyncGetResult', {
    req_key: model,
    task_id: upstreamId,
    ...(options !== undefined && { req_json: options }),
  });
}

/**
 * Reads a poll response. Jimeng docs: "`done`: finished, with success or failure, which the outer code and message
 * tell". A failure may also come as a code with null `data`. Only codes that cannot mean the call itself count.
 */
export function readPoll(response: UpstreamResponse, job: UpstreamJob, tools: WireTools): PollOutcome {
  const { status, body } = response;
  const jimeng = readJimeng(status, body);
  const later = tools.later(response);
  const { urls, status: word } = jimeng.data;
  if (isModerated(jimeng) || (word === 'done' && !jimeng.isGood && jimeng.code !== undefined)) {
    const message = tools.reason(jimeng.message, 'The upstream failed without a reason', job);
    return { kind: 'failed', code: failureCodeOf(decisionOf(status, jimeng)), message };
  }
  if (!jimeng.isGood) {
    const message = `The upstream did not return the state of the job (${said(status, jimeng)})`;
    return { kind: 'unclear', message, ...later };
  }
  switch (word) {
    case 'in_queue':
    case 'generating':
      return { kind: 'running', ...later };
    case 'done':
      if (urls.length > 0) return { kind: 'succeeded', outputs: urls.map((url) => ({ url })) };
      return finishedWithout('a result', isEmpty(body), later);
    case 'not_found':
    case 'expired':
      // Jobs are stored for 12 hours, and a new one is not visible on every server at once.
      if (tools.isYoung(job)) return { kind: 'unclear', message: 'The upstream does not know the job yet', ...later };
      return { kind: 'failed', code: 'content_expired', message: 'The upstream no longer knows the job' };
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}

/** Whether the result is recognizably empty. */
function isEmpty(body: unknown): boolean {
  const told = ['video_url', 'image_urls', 'binary_data_base64'].map((name) => at(body, 'data', name));
  const ways = told.filter((value) => value !== undefined);
  return ways.length > 0 && ways.every((value) => saysNothing(value));
}
