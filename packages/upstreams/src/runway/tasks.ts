import type {
  ImageRequest,
  MediaKind,
  MediaRequest,
  MediaSubmission,
  OpenedImage,
  UpstreamJob,
  VideoRequest,
} from '@sluice/canonical';
import { RUNWAY_IMAGE_FILES } from '@sluice/vendors';
import type { MediaWire, VendorCall } from '../media/media-wire.ts';
import { isSuccess } from '../media/outcomes/decision.ts';
import type { TaskState } from '../media/outcomes/task-outcome.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { decisionOf, failureOf } from './errors.ts';
import type { RunwayImagePlan } from './plan-image.ts';
import type { RunwayVideoPlan } from './plan-video.ts';
import { WireRefusal, WireTask } from './wire.ts';

const DECIDED = [
  'model',
  'promptText',
  'promptImage',
  'references',
  'referenceImages',
  'ratio',
  'duration',
  'outputCount',
];
/** Minimum interval between polls (Runway docs, "Get task"). */
const MIN_WAIT_MS = 5000;
/** `THROTTLED` means that Runway has queued the task because the account has reached its concurrency limit. */
const STATES = new Map<string | undefined, TaskState>([
  ['PENDING', 'running'],
  ['THROTTLED', 'running'],
  ['RUNNING', 'running'],
  ['SUCCEEDED', 'succeeded'],
  ['CANCELLED', 'canceled'],
]);

export async function videoSubmission(
  { model, request, images }: MediaSubmission<VideoRequest>,
  { options, fromImage }: RunwayVideoPlan,
): Promise<VendorCall> {
  const uris = await dataUris(images);
  const positioned = uris.map((image, index) => ({
    ...image,
    position: images[index]?.role === 'last_frame' ? 'last' : 'first',
  }));
  const isOnlyFirst = images.length === 1 && images[0]?.role === 'first_frame';
  const frames = { promptImage: isOnlyFirst ? uris[0]?.uri : positioned };
  return {
    method: 'POST',
    path: fromImage ? '/v1/image_to_video' : '/v1/text_to_video',
    json: {
      ...optionsOf(request, options),
      model,
      ...options,
      ...(fromImage ? frames : { references: uris.length > 0 ? uris : undefined }),
    },
  };
}

export async function imageSubmission(
  { model, request, images }: MediaSubmission<ImageRequest>,
  { options }: RunwayImagePlan,
): Promise<VendorCall> {
  const referenceImages = images.length > 0 ? await dataUris(images) : undefined;
  return {
    method: 'POST',
    path: '/v1/text_to_image',
    json: { ...optionsOf(request, options), model, ...options, referenceImages },
  };
}

function optionsOf({ metadata }: VideoRequest | ImageRequest, planned: object): Record<string, unknown> {
  return vendorOptions(metadata, [...DECIDED, ...Object.keys(planned)]);
}

function dataUris(images: readonly OpenedImage[]) {
  return Promise.all(images.map(async (image) => ({ uri: await imageDataUrl(image) })));
}

function taskCall(method: VendorCall['method'], { upstreamId }: UpstreamJob): VendorCall {
  return { method, path: `/v1/tasks/${encodeURIComponent(upstreamId)}` };
}

export function runwayTasks(kind: MediaKind) {
  return {
    imageFiles: RUNWAY_IMAGE_FILES,
    readSubmission: (response, { seconds }, tools) => {
      const { status, body } = response;
      if (isSuccess(status)) return tools.accepted(response, WireTask.parse(body)?.id, { seconds });
      const { error, issues = [] } = WireRefusal.parse(body) ?? {};
      const details = issues.map((issue) => [issue?.path?.join('.'), issue?.message].filter(Boolean).join(': '));
      return tools.refused(response, decisionOf(status, error), [error, ...details].filter(Boolean).join('; '));
    },
    poll: (job) => taskCall('GET', job),
    readPoll: (response, job, tools) => {
      if (response.status !== 200) return tools.noState(response);
      const { status, progress = Number.NaN, output = [], failureCode } = WireTask.parse(response.body) ?? {};
      if (status === 'FAILED') return { kind: 'failed', ...failureOf(failureCode) };
      const percent = Math.round(100 * progress);
      const outputs = output.flatMap((url) => (url === undefined ? [] : [{ url }]));
      const task = {
        state: STATES.get(status),
        progress: percent >= 0 && percent <= 100 ? percent : undefined,
        // For some video formats, the sound is a separate file.
        outputs: kind === 'video' ? outputs.slice(0, 1) : outputs,
        isEmpty: true,
      };
      const outcome = tools.polled(response, task, job);
      if (outcome.kind !== 'running') return outcome;
      return { ...outcome, retryAfterMs: Math.max(MIN_WAIT_MS, outcome.retryAfterMs ?? 0) };
    },
    // `DELETE` cancels an unfinished task. If the task has ended, `DELETE` permanently removes it and its file.
    cancellation: {
      call: (job) => taskCall('DELETE', job),
      isCancelable: (body) => STATES.get(WireTask.parse(body)?.status) === 'running',
    },
  } satisfies Partial<MediaWire<MediaRequest>>;
}
