import type { MediaSubmission, OpenedImage, VideoRequest } from '@sluice/canonical';
import { BEDROCK_VIDEO_IMAGES } from '@sluice/vendors';
import { encodeSegment } from '../cloud/aws/encode-segment.ts';
import { objectUrl } from '../cloud/aws/s3-object.ts';
import { Id, lenient, Text } from '../media/lenient.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { isSuccess } from '../media/outcomes/decision.ts';
import type { TaskState } from '../media/outcomes/task-outcome.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { nestedOptions, vendorOptions } from '../media/plan/vendor-options.ts';
import { bedrockDecision, isFiltered, readBedrockError } from './errors.ts';
import { findInvocation } from './find.ts';
import { type BedrockVideoPlan, planBedrockVideo } from './plan-video.ts';
import { seedOf } from './seed.ts';

const STATES = new Map<string | undefined, TaskState>([
  ['InProgress', 'running'],
  ['Completed', 'succeeded'],
  ['Failed', 'failed'],
]);
const CONFIG = 'videoGenerationConfig';

const WireStarted = lenient({ invocationArn: Id });
const WireInvocation = lenient({ status: Text, failureMessage: Text });

export interface VideoOutput {
  /** The folder in S3 into which Bedrock writes videos, e.g. `s3://bucket/folder`. */
  outputUri: string;
  /** The URL of S3. */
  endpoint: string;
}

/**
 * Videos of Nova Reel and Luma Ray by `StartAsyncInvoke`. Bedrock writes each video to its own folder in S3. It cannot
 * cancel an invocation. The job keeps the folder of its submission as its path, for polls after a reload. The reported
 * folder is not used, so that a response cannot name another bucket, which the credential could read.
 */
export function bedrockVideos({ outputUri, endpoint }: VideoOutput): MediaWire<VideoRequest, BedrockVideoPlan> {
  return {
    plan: planBedrockVideo,
    imageFiles: BEDROCK_VIDEO_IMAGES,
    // Bedrock returns the token with the invocation. The lookup can therefore find a lost submission.
    submission: async (params, plan) => ({
      method: 'POST',
      path: '/async-invoke',
      json: {
        clientRequestToken: params.reference,
        modelId: params.model,
        modelInput: await inputOf(params, plan),
        outputDataConfig: { s3OutputDataConfig: { s3Uri: outputUri } },
      },
    }),
    readSubmission: (response, { seconds }, tools) => {
      const { status, body } = response;
      if (isSuccess(status)) {
        return tools.accepted(response, WireStarted.parse(body)?.invocationArn, { seconds, path: outputUri });
      }
      const error = readBedrockError(response);
      return tools.refused(response, bedrockDecision(status, error), error.message);
    },
    jobPath: () => outputUri,
    poll: ({ upstreamId }) => ({ method: 'GET', path: `/async-invoke/${encodeSegment(upstreamId)}` }),
    readPoll: (response, job, tools) => {
      if (response.status !== 200) return tools.noState(response);
      const { status, failureMessage: text } = WireInvocation.parse(response.body) ?? {};
      const url = objectUrl(endpoint, videoUri(job.path ?? outputUri, job.upstreamId));
      const code = isFiltered(text) ? 'content_policy' : 'provider_error';
      const outputs = url === undefined ? [] : [{ url }];
      return tools.polled(response, { state: STATES.get(status), outputs, failure: { code, text } }, job);
    },
    find: findInvocation,
    signsDownloads: true,
  };
}

async function inputOf(
  { request: { metadata }, images, reference }: MediaSubmission<VideoRequest>,
  plan: BedrockVideoPlan,
): Promise<object> {
  const encoded = await Promise.all(images.map(async (image) => ({ ...image, data: await imageBase64(image) })));
  if (plan.format === 'luma-ray') {
    const frames = encoded.map(({ role, mediaType: media_type, data }) => {
      const image = { type: 'image', source: { type: 'base64', media_type, data } };
      return [role === 'last_frame' ? 'frame1' : 'frame0', image];
    });
    const keyframes = frames.length > 0 ? Object.fromEntries(frames) : undefined;
    return { ...vendorOptions(metadata, ['keyframes', ...Object.keys(plan.input)]), ...plan.input, keyframes };
  }
  const { text, isLong, config } = plan;
  const decided = [...Object.keys(config), 'seed'];
  const options = vendorOptions({ ...metadata, ...nestedOptions(metadata, CONFIG) }, [...decided, CONFIG]);
  const sources = encoded.map(({ mediaType, data }) => ({ format: formatOf(mediaType), source: { bytes: data } }));
  return {
    ...(isLong
      ? { taskType: 'MULTI_SHOT_AUTOMATED', multiShotAutomatedParams: { text } }
      : { taskType: 'TEXT_VIDEO', textToVideoParams: { text, images: sources.length > 0 ? sources : undefined } }),
    [CONFIG]: { ...options, seed: seedOf(reference), ...config },
  };
}

function formatOf(mediaType: OpenedImage['mediaType']): string {
  return mediaType === 'image/png' ? 'png' : 'jpeg';
}

/** The name of the video's own folder is the end of the ARN (Amazon Nova user guide, "Video generation access and usage"). */
function videoUri(folder: string, arn: string): string {
  return `${folder.replace(/\/+$/, '')}/${arn.split('/').at(-1) ?? ''}/output.mp4`;
}
