import type { SubmitOutcome, VideoRequest } from '@sluice/canonical';
import { isMinimaxV2 } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { apiKeyOf } from '../media/api-key.ts';
import { cancelQueued } from '../media/cancel-queued.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import { wireTools, type WireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { decisionOf, wordsOf } from './codes.ts';
import { type PlanV1, planV1 } from './v1-plan.ts';
import { pollV1, readPollV1 } from './v1-poll.ts';
import { submissionV1 } from './v1-submit.ts';
import { type PlanV2, planV2 } from './v2-plan.ts';
import { isQueuedV2, pollV2, readPollV2, removalV2, submissionV2 } from './v2-task.ts';
import { WireRefusal, WireSubmitted } from './wire.ts';

type MinimaxPlan = PlanV1 | PlanV2;

/**
 * Lost submissions are not looked up: v1 has no list, and the list of v2 has neither prompts nor a client reference, so
 * a task may be another client's.
 */
function minimaxVideo(tools: WireTools): MediaWire<VideoRequest, MinimaxPlan> {
  return {
    plan: (model, request, report) => (isMinimaxV2(model) ? planV2 : planV1)(model, request, report),
    submission: (params, plan) => (plan.version === 2 ? submissionV2(params, plan) : submissionV1(params, plan)),
    readSubmission: (response, _params, plan) => readSubmission(tools, response, plan),
    poll: (job) => (isMinimaxV2(job.model) ? pollV2 : pollV1)(job),
    readPoll: (response, job, ask) =>
      isMinimaxV2(job.model) ? readPollV2(tools, response, job) : readPollV1(tools, response, job, ask),
    cancellation: {
      call: (job) => (isMinimaxV2(job.model) ? pollV2(job) : undefined),
      read: (response, job, ask) => {
        const read = (polled: UpstreamResponse) => readPollV2(tools, polled, job);
        return cancelQueued({ poll: pollV2(job), removal: removalV2(job), isQueued: isQueuedV2, read }, response, ask);
      },
    },
  };
}

/** Reads a submission of either version: an id, unless a code reports an error, whatever the HTTP status. */
function readSubmission(tools: WireTools, response: UpstreamResponse, { seconds }: MinimaxPlan): SubmitOutcome {
  const { status, body } = response;
  const submitted = WireSubmitted.parse(body);
  const isFine = status >= 200 && status < 300 && (submitted?.base_resp?.status_code ?? 0) === 0;
  if (isFine && submitted?.task_id !== undefined) {
    const { task_id: upstreamId } = submitted;
    return { kind: 'accepted', upstreamId, ...(seconds !== undefined && { seconds }), ...tools.later(response) };
  }
  const refusal = WireRefusal.parse(body);
  const otherwise = isFine
    ? `The upstream returned HTTP ${status} without an id`
    : `The upstream refused the request (HTTP ${status})`;
  const reason = tools.reason(isFine ? undefined : wordsOf(refusal), otherwise);
  return refusedSubmission(decisionOf(status, refusal), reason, tools.later(response));
}

/** The kind `minimax`: Hailuo and H3 at MiniMax. */
export const minimax = defineUpstream({
  kind: 'minimax',
  build: (account, context) => {
    const authorization = `Bearer ${apiKeyOf(account)}`;
    if (/\/v\d+\/*$/.test(new URL(account.base_url).pathname)) {
      throw new Error(
        '`base_url` of an upstream of kind `minimax` must not contain a version, e.g. https://api.minimax.io',
      );
    }
    return {
      video: createMediaUpstream(
        account,
        context,
        () => ({ authorization }),
        minimaxVideo(wireTools(account, context)),
      ),
    };
  },
});
