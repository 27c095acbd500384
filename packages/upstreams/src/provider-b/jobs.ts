import { type MediaRequest, type UpstreamJob, unexpectedMessage } from '@sluice/canonical';
import { at, isEmptyValue } from '../media/lenient.ts';
import type { MediaWire, VendorCall } from '../media/media-wire.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import type { TaskState } from '../media/outcomes/task-outcome.ts';
import { decisionOf, isModerated, summary } from './errors.ts';
import { readJimeng } from './wire.ts';

const STATES = new Map<string | undefined, TaskState>([
  ['in_queue', 'running'],
  ['generating', 'running'],
  ['done', 'succeeded'],
]);

/** Jimeng docs: every call is a JSON POST with the action in the query. */
export function callOf(action: 'CVSync2AsyncSubmitTask' | 'CVSync2AsyncGetResult', json: object): VendorCall {
  return { method: 'POST', path: `/?Action=${action}&Version=2022-08-31`, json };
}

/** Polls a job with the `req_key` of the submission, which is the stored model. @param options JSON text */
export function pollCall({ model, upstreamId }: UpstreamJob, options?: string): VendorCall {
  return callOf('CVSync2AsyncGetResult', { req_key: model, task_id: upstreamId, req_json: options });
}

export const jimengJobs = {
  readSubmission: (response, { path, seconds }, tools) => {
    const { status, body } = response;
    const jimeng = readJimeng(status, body);
    if (jimeng.isGood) return tools.accepted(response, jimeng.data.task_id, { path, seconds });
    const fallback = unexpectedMessage(summary(status, jimeng), 'submission');
    return tools.refused(response, decisionOf(status, jimeng), jimeng.message, fallback);
  },
  /**
   * Reads a poll response. Jimeng docs: "`done`: finished, with success or failure, which the outer code and message
   * tell". A failure may also be reported as a code with null `data`. Codes that may refer to the poll itself are
   * ignored.
   */
  readPoll: (response, job, tools) => {
    const { status, body } = response;
    const jimeng = readJimeng(status, body);
    const { urls, status: state } = jimeng.data;
    if (isModerated(jimeng) || (state === 'done' && !jimeng.isGood && jimeng.code !== undefined)) {
      return tools.failed(failureCodeOf(decisionOf(status, jimeng)), jimeng.message, job);
    }
    if (!jimeng.isGood) {
      const message = unexpectedMessage(summary(status, jimeng), 'poll');
      return { kind: 'unclear', message, ...tools.retryDelay(response) };
    }
    // Jimeng stores jobs for 12 hours.
    if (state === 'not_found' || state === 'expired') return tools.missing(response, job);
    const outputs = urls.map((url) => ({ url }));
    return tools.polled(response, { state: STATES.get(state), outputs, isEmpty: isEmpty(body) }, job);
  },
} satisfies Partial<MediaWire<MediaRequest, { path?: string; seconds?: string }>>;

function isEmpty(body: unknown): boolean {
  const fields = ['video_url', 'image_urls', 'binary_data_base64'].map((name) => at(body, 'data', name));
  const present = fields.filter((value) => value !== undefined);
  return present.length > 0 && present.every((value) => isEmptyValue(value));
}
