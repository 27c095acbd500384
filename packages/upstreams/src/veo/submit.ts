import type { MediaSubmission, OpenedImage, SubmitOutcome, VideoRequest } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { googleDelay, googleDecision } from '../media/outcomes/google-error.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { limitImageBytes, imageBase64 } from '../media/plan/image-bytes.ts';
import { nestedOptions, vendorOptions } from '../media/plan/vendor-options.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import type { VeoPlan } from './plan.ts';
import { WireOperation } from './wire.ts';

/** In addition to planned fields: one video, delivered only to the gateway. */
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

/** Submits a video. Vendor options are fields of `parameters`. */
export async function veoSubmission(params: MediaSubmission<VideoRequest>, plan: VeoPlan): Promise<VendorCall> {
  limitImageBytes(params.images, { each: 14, all: 14 }); // Gemini API docs: a body up to 20 MB
  const { metadata } = params.request;
  const decided = [...DECIDED, ...Object.keys(plan.parameters)];
  const images = await Promise.all(
    params.images.map(async (image) => ({ role: image.role, image: await inlineImage(image) })),
  );
  const of = (role: string) => images.filter((imageInput) => imageInput.role === role).map(({ image }) => image);
  const [first] = of('first_frame');
  const [last] = of('last_frame');
  const references = of('reference').map((image) => ({ image, referenceType: 'asset' }));
  return {
    method: 'POST',
    path: `/models/${encodeURIComponent(params.model)}:predictLongRunning`,
    json: {
      instances: [
        {
          ...(plan.prompt !== undefined && { prompt: plan.prompt }),
          ...(first && { image: first }),
          ...(last && { lastFrame: last }),
          ...(references.length > 0 && { referenceImages: references }),
        },
      ],
      parameters: {
        ...vendorOptions(metadata, decided),
        ...vendorOptions(nestedOptions(metadata, 'parameters'), decided),
        ...plan.parameters,
      },
    },
  };
}

async function inlineImage(image: OpenedImage): Promise<object> {
  return { bytesBase64Encoded: await imageBase64(image), mimeType: image.mediaType };
}

/** Reads an operation. Its full name is pinned, because it is the poll path. */
export function readVeoSubmission(tools: WireTools, response: UpstreamResponse, plan: VeoPlan): SubmitOutcome {
  const { status, body } = response;
  const operation = WireOperation.parse(body);
  if (status >= 200 && status < 300) {
    const { name = '' } = operation ?? {};
    const upstreamId = isPath(name) ? name.split('/').at(-1) : undefined;
    if (upstreamId === undefined) {
      return { kind: 'unknown', message: `The upstream returned HTTP ${status} without an id` };
    }
    const { seconds } = plan;
    return {
      kind: 'accepted',
      upstreamId,
      path: name,
      ...(seconds !== undefined && { seconds }),
      ...tools.later(response),
    };
  }
  const error = operation?.error;
  const reason = tools.reason(error?.message, `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(googleDecision(status, error), reason, { ...googleDelay(error), ...tools.later(response) });
}

/** Whether a name is a path that stays below the base URL. */
function isPath(name: string): boolean {
  const segments = name.split('/');
  return (
    segments.length > 1 &&
    name.length <= 512 &&
    segments.every((segment) => /^[\w.~-]+$/.test(segment) && segment !== '.' && segment !== '..')
  );
}
