import {
  type JobOutput,
  type MediaKind,
  type MediaRequest,
  type PollOutcome,
  type UpstreamJob,
  UPSTREAM_MESSAGES,
  statusMessage,
} from '@sluice/canonical';
import { REPLICATE_IMAGE_FILES } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { canceledOr, unclearCancellation } from '../media/cancel-job.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { isSuccess, refusedSubmission } from '../media/outcomes/decision.ts';
import type { TaskState } from '../media/outcomes/task-outcome.ts';
import { urlsIn, videoAmong } from '../media/urls-in.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf, failureCode, retryDelayOf } from './errors.ts';
import { imageFields, type ReplicatePlan } from './inputs.ts';
import { WirePrediction, WireRefusal } from './wire.ts';

/** Responses repeat the input: 10 MB of images, and a third more for base64. */
const maxResponseBytes = 16 * 1024 * 1024;
/** Replicate docs, "Prediction lifecycle": `aborted` means that the prediction was canceled before it started. */
const STATES = new Map<string | undefined, TaskState>([
  ['starting', 'running'],
  ['processing', 'running'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
  ['aborted', 'canceled'],
]);

function predictionPath({ upstreamId }: UpstreamJob): string {
  return `/predictions/${encodeURIComponent(upstreamId)}`;
}

export function predictions(kind: MediaKind) {
  return {
    imageFiles: REPLICATE_IMAGE_FILES,
    // The call has no `Prefer: wait`, so Replicate responds immediately.
    submission: async ({ images }, { call: { path, version }, input, images: inputs }) => ({
      method: 'POST',
      path,
      json: { version, input: { ...input, ...(await imageFields(images, inputs)) } },
      maxResponseBytes,
    }),
    readSubmission: (response, { seconds }, tools) => {
      const { status, body } = response;
      if (isSuccess(status)) return tools.accepted(response, WirePrediction.parse(body)?.id, { seconds });
      const { title, detail = title } = WireRefusal.parse(body) ?? {};
      const reason = tools.reason(detail, statusMessage(status));
      return refusedSubmission(decisionOf(status, detail), reason, retryDelayOf(tools, response, detail));
    },
    poll: (job) => ({ method: 'GET', path: predictionPath(job), maxResponseBytes }),
    readPoll: (response, job, tools) => {
      if (response.status === 200) return readPrediction(kind, response, job, tools);
      const delay = retryDelayOf(tools, response, WireRefusal.parse(response.body)?.detail);
      return { ...tools.noState(response), ...delay };
    },
    cancellation: {
      call: (job) => ({ method: 'POST', path: `${predictionPath(job)}/cancel`, maxResponseBytes }),
      // The response is the prediction. If its status is still running, the prediction is being stopped.
      read: (response, job, tools) => {
        const { status } = response;
        if (!isSuccess(status)) return decisionOf(status) === 'invalid' ? undefined : unclearCancellation(status);
        const prediction = readPrediction(kind, response, job, tools);
        return prediction.kind === 'running' ? { kind: 'canceled' } : canceledOr(prediction);
      },
    },
  } satisfies Partial<MediaWire<MediaRequest, ReplicatePlan>>;
}

function readPrediction(kind: MediaKind, response: UpstreamResponse, job: UpstreamJob, tools: WireTools): PollOutcome {
  const { status, output, error, logs, data_removed: isRemoved } = WirePrediction.parse(response.body) ?? {};
  const outputs = outputsOf(kind, output);
  const state = STATES.get(status);
  const failure = { code: failureCode(error), text: error };
  if (state !== 'succeeded' || outputs.length > 0) {
    return tools.polled(response, { state, progress: progressIn(logs), outputs, failure }, job);
  }
  return isRemoved
    ? { kind: 'failed', code: 'content_expired', message: UPSTREAM_MESSAGES.fileGone }
    : {
        kind: 'failed',
        code: failure.code,
        message: tools.reason(error, UPSTREAM_MESSAGES.noContent, job),
      };
}

function outputsOf(kind: MediaKind, output: unknown): JobOutput[] {
  const urls = urlsIn(output);
  const video = kind === 'video' ? videoAmong(urls) : undefined;
  return video === undefined ? urls.map((url) => ({ url })) : [{ url: video }];
}

const LOG_END = 4096;

/** Parses the last progress bar in a log (e.g. `76%|████ | 7568/10000`), as replicate 1.4.0 does. */
function progressIn(logs: string | undefined): number | undefined {
  const bars = logs?.slice(-LOG_END).matchAll(/^[ \t]*(\d{1,3})%[ \t]*\|[^|\n]+\|[ \t]*\d+\/\d+/gm) ?? [];
  const progress = Number([...bars].at(-1)?.[1]);
  return progress <= 100 ? progress : undefined;
}
