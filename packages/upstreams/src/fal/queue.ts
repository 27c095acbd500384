import {
  type MediaKind,
  type MediaRequest,
  type PollOutcome,
  type UpstreamJob,
  unexpectedMessage,
} from '@sluice/canonical';
import { FAL_IMAGE_FILES } from '@sluice/vendors';
import { unclearCancellation } from '../media/cancel-job.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { isSuccess } from '../media/outcomes/decision.ts';
import { decisionOf, failureCode, textOf } from './errors.ts';
import { modelPathOf } from './model-path.ts';
import type { FalPlan } from './plan-video.ts';
import { readFalResult } from './result.ts';
import { RESPONSE_BYTES } from './submission.ts';
import { WireQueued, WireRefusal, WireResult, WireStatus } from './wire.ts';

function requestPath({ path, model, upstreamId }: UpstreamJob): string {
  return `/${path ?? modelPathOf(model).app}/requests/${encodeURIComponent(upstreamId)}`;
}

export function falQueue(kind: MediaKind) {
  return {
    imageFiles: FAL_IMAGE_FILES,
    // Ignore the URLs in the response, because the model name determines the paths.
    readSubmission: (response, { path, seconds }, tools) => {
      if (isSuccess(response.status)) {
        return tools.accepted(response, WireQueued.parse(response.body)?.request_id, { path: path.app, seconds });
      }
      const refusal = WireRefusal.parse(response.body);
      return tools.refused(response, decisionOf(response.status, refusal), textOf(refusal));
    },
    poll: (job) => ({ method: 'GET', path: `${requestPath(job)}/status` }),
    /**
     * Reads the status. fal returns HTTP 202 until the status is `COMPLETED`, which only means that the run has ended.
     * Only the result shows whether the run succeeded.
     */
    readPoll: async (response, job, tools, send): Promise<PollOutcome> => {
      if (response.status !== 200 && response.status !== 202) return tools.noState(response);
      const { status, error, error_type } = WireStatus.parse(response.body) ?? {};
      if (status !== 'COMPLETED') {
        const isRunning = status === 'IN_QUEUE' || status === 'IN_PROGRESS';
        return tools.polled(response, { state: isRunning ? 'running' : undefined }, job);
      }
      const result = await send({ method: 'GET', path: requestPath(job), maxResponseBytes: RESPONSE_BYTES });
      if (result.status === 200) {
        const output = WireResult.parse(result.body);
        if (output) return readFalResult(kind, output);
        return { kind: 'unclear', message: unexpectedMessage('an invalid response', 'result') };
      }
      const refusal = WireRefusal.parse(result.body);
      const code = failureCode(result.status, refusal) ?? ((error ?? error_type) ? 'provider_error' : undefined);
      if (code !== undefined) return tools.failed(code, textOf(refusal) ?? error, job);
      const message = unexpectedMessage(`HTTP ${result.status}`, 'result');
      return { kind: 'unclear', message, ...tools.retryDelay(result) };
    },
    cancellation: {
      call: (job) => ({ method: 'PUT', path: `${requestPath(job)}/cancel` }),
      read: ({ status, body }) => {
        if (isSuccess(status)) return { kind: 'canceled' };
        const isFinished = WireStatus.parse(body)?.status === 'ALREADY_COMPLETED'; // fal sends this with HTTP 400.
        return isFinished ? { kind: 'too_late' } : unclearCancellation(status);
      },
    },
  } satisfies Partial<MediaWire<MediaRequest, FalPlan>>;
}
