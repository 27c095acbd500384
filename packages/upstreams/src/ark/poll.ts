import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { at, saysNothing } from '../media/lenient.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { stateOutcome } from '../media/outcomes/task-state.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf } from './errors.ts';
import { TASKS_PATH } from './submit.ts';
import { WireTask } from './wire.ts';

export function arkPoll(job: UpstreamJob): VendorCall {
  return { method: 'GET', path: `${TASKS_PATH}/${encodeURIComponent(job.upstreamId)}` };
}

/** Reads a task. A failed one comes with HTTP 200. */
export function readArkPoll(tools: WireTools, response: UpstreamResponse, job: UpstreamJob): PollOutcome {
  const { status, body } = response;
  const later = tools.later(response);
  if (status !== 200) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the poll`, ...later };
  }
  const task = WireTask.parse(body);
  const failure = { decision: decisionOf(200, task?.error), message: task?.error?.message };
  const isEmpty = saysNothing(at(body, 'content')) || saysNothing(at(body, 'content', 'video_url'));
  return stateOutcome(tools, { ...task, url: task?.content?.video_url, isEmpty, failure }, job, later);
}
