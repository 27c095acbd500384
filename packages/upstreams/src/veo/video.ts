import {
  type OpenedImage,
  type SubmitOutcome,
  type UpstreamJob,
  type VideoRequest,
  UPSTREAM_MESSAGES,
  statusMessage,
  unexpectedMessage,
} from '@sluice/canonical';
import { VEO_IMAGE_FILES } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { failureCodeOf, isSuccess, refusedSubmission } from '../media/outcomes/decision.ts';
import { googleDecision, googleDelay } from '../media/google-error.ts';
import { returnedFile } from '../media/outcomes/returned-outcome.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { nestedOptions, vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { planVeo, type VeoPlan } from './plan.ts';
import { filterReasons, videoOf, WireOperation } from './wire.ts';

/** Fields that options cannot set, in addition to those of the plan. Only the gateway receives the one video. */
const DECIDED = [
  'model',
  'prompt',
  'instances',
  'parameters',
  'durationSeconds',
  'storageUri',
  'outputGcsUri',
  'pubsubTopic',
];
/** A response may contain a video in base64. A video of 8 seconds in high resolution has tens of megabytes. */
export const MAX_VEO_RESPONSE = 128 * 1024 * 1024;
/** HTTP statuses by gRPC code (google.rpc.Code). Other codes are ambiguous and become 500. */
const STATUS_OF_CODE: Readonly<Record<number, number>> = { 3: 400, 9: 400, 7: 403, 8: 429, 14: 503, 16: 401 };

/** Veo supports neither listing nor canceling operations. */
export const veoVideo: MediaWire<VideoRequest, VeoPlan> = {
  plan: planVeo,
  imageFiles: VEO_IMAGE_FILES,
  // Vendor options are sent as fields of `parameters`.
  submission: async ({ model, request: { metadata }, images }, { prompt, parameters }) => {
    const decided = [...DECIDED, ...Object.keys(parameters)];
    const encoded = await Promise.all(images.map(inlineImage));
    const of = (role: string) => encoded.filter((_image, index) => images[index]?.role === role);
    const references = of('reference').map((image) => ({ image, referenceType: 'asset' }));
    return {
      method: 'POST',
      path: `/models/${encodeURIComponent(model)}:predictLongRunning`,
      json: {
        instances: [
          {
            prompt,
            image: of('first_frame')[0],
            lastFrame: of('last_frame')[0],
            referenceImages: references.length > 0 ? references : undefined,
          },
        ],
        parameters: {
          ...vendorOptions(metadata, decided),
          ...vendorOptions(nestedOptions(metadata, 'parameters'), decided),
          ...parameters,
        },
      },
    };
  },
  // The operation's full name is stored with the job, because it is the path for polls.
  readSubmission: (response, plan, tools) => readOperation(response, plan, tools, isPath),
  poll: (job) => ({ method: 'GET', path: `/${operationOf(job)}`, maxResponseBytes: MAX_VEO_RESPONSE }),
  readPoll: (response, job, tools) => {
    if (response.status !== 200) return tools.noState(response);
    const operation = WireOperation.parse(response.body);
    if (operation?.name === undefined) {
      return {
        kind: 'unclear',
        message: unexpectedMessage('an invalid response', 'poll'),
        ...tools.retryDelay(response),
      };
    }
    const { done, error } = operation;
    if (done !== true) return tools.polled(response, { state: 'running' }, job);
    if (error?.code !== undefined || error?.message !== undefined) {
      const decision = googleDecision(STATUS_OF_CODE[error.code ?? 0] ?? 500, error);
      return tools.failed(failureCodeOf(decision), error.message, job);
    }
    const video = videoOf(operation);
    if (video) return { kind: 'succeeded', outputs: [{ url: video.uri }] };
    const reasons = filterReasons(operation);
    if (reasons === undefined) return tools.polled(response, { state: 'succeeded', isEmpty: true }, job);
    const message = tools.reason(reasons, UPSTREAM_MESSAGES.outputBlocked, job);
    return { kind: 'failed', code: 'content_policy', message };
  },
  inlineResult: ({ status, body }) => {
    const operation = status === 200 ? WireOperation.parse(body) : undefined;
    const video = operation?.done === true ? videoOf(operation) : undefined;
    return video?.uri === undefined ? returnedFile({ base64: video?.base64 })?.bytes : undefined;
  },
  // The API itself serves the files and requires the key of the account that created them.
  signsDownloads: true,
};

/** @param isName checks the operation's name */
export function readOperation(
  response: UpstreamResponse,
  { seconds }: VeoPlan,
  tools: WireTools,
  isName: (name: string) => boolean,
): SubmitOutcome {
  const { status, body } = response;
  const { name: path = '', error } = WireOperation.parse(body) ?? {};
  if (isSuccess(status)) {
    return tools.accepted(response, isName(path) ? path.split('/').at(-1) : undefined, { path, seconds });
  }
  const reason = tools.reason(error?.message, statusMessage(status));
  const delay = { ...googleDelay(error), ...tools.retryDelay(response) };
  return refusedSubmission(googleDecision(status, error), reason, delay);
}

function operationOf({ path, model, upstreamId }: UpstreamJob): string {
  return path ?? `models/${encodeURIComponent(model)}/operations/${encodeURIComponent(upstreamId)}`;
}

async function inlineImage(image: OpenedImage) {
  return { bytesBase64Encoded: await imageBase64(image), mimeType: image.mediaType };
}

/** Checks whether a name is a path that stays below the base URL. */
function isPath(name: string): boolean {
  const segments = name.split('/');
  return (
    segments.length > 1 &&
    name.length <= 512 &&
    segments.every((segment) => /^[\w.~-]+$/.test(segment) && segment !== '.' && segment !== '..')
  );
}
