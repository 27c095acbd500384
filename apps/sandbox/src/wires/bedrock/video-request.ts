import { z } from 'zod';
import { hexFrom } from '../../jobs/job-id.ts';
import type { JobInput } from '../../jobs/media-job.ts';
import { checkBody } from '../../schema/check-body.ts';
import { frameOfShortSide, shapeOf, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import type { ImageRules } from '../media/read-image.ts';
import { invalidBedrock, malformed, refuseBody } from './bedrock-error.ts';
import { readFile } from './image-request.ts';

/** Bedrock API reference, `StartAsyncInvoke`. */
const StartRequest = z.strictObject({
  clientRequestToken: z
    .string()
    .regex(/^[!-~]{1,256}$/)
    .optional(),
  modelId: z.string().min(1),
  modelInput: z.record(z.string(), z.unknown()),
  outputDataConfig: z.strictObject({
    s3OutputDataConfig: z.strictObject({
      s3Uri: z.string().regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/.*)?$/),
      kmsKeyId: z.string().optional(),
      bucketOwner: z
        .string()
        .regex(/^\d{12}$/)
        .optional(),
    }),
  }),
  tags: z.array(z.strictObject({ key: z.string(), value: z.string() })).optional(),
});

const NovaConfig = {
  fps: z.literal(24).optional(),
  dimension: z.literal('1280x720').optional(),
  seed: z.int().min(0).max(2_147_483_646).optional(),
};

/** Amazon Nova user guide, "Video generation access and usage". */
const NovaInput = z.discriminatedUnion('taskType', [
  z.strictObject({
    taskType: z.literal('TEXT_VIDEO'),
    textToVideoParams: z.strictObject({
      text: z.string().min(1).max(512),
      images: z
        .array(
          z.strictObject({ format: z.enum(['png', 'jpeg']), source: z.strictObject({ bytes: z.string().min(1) }) }),
        )
        .max(1)
        .default([]),
    }),
    videoGenerationConfig: z.strictObject({ ...NovaConfig, durationSeconds: z.literal(6).default(6) }).prefault({}),
  }),
  z.strictObject({
    taskType: z.literal('MULTI_SHOT_AUTOMATED'),
    multiShotAutomatedParams: z.strictObject({ text: z.string().min(1).max(4000) }),
    videoGenerationConfig: z.strictObject({ ...NovaConfig, durationSeconds: z.int().min(12).max(120).multipleOf(6) }),
  }),
]);

const Keyframe = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg']),
    data: z.string().min(1),
  }),
});

/** Bedrock user guide, "Luma AI models". */
const LumaInput = z.strictObject({
  prompt: z.string().min(1).max(5000),
  aspect_ratio: z.enum(['1:1', '16:9', '9:16', '4:3', '3:4', '21:9', '9:21']).default('16:9'),
  loop: z.boolean().optional(),
  duration: z.enum(['5s', '9s']).default('5s'),
  resolution: z.enum(['540p', '720p']).default('720p'),
  keyframes: z.strictObject({ frame0: Keyframe.optional(), frame1: Keyframe.optional() }).optional(),
});

const RULES = { encodings: ['base64'], types: ['image/png', 'image/jpeg'], maxBytes: 25 * 1024 ** 2 } as const;
const NOVA_IMAGES: ImageRules = { ...RULES, minSide: 720, maxSide: 1280, maxRatio: 16 / 9 };
const LUMA_IMAGES: ImageRules = { ...RULES, minSide: 512, maxSide: 4096, maxRatio: 8 };

type Scene = Pick<MediaParams, 'prompt' | 'seconds' | 'width' | 'height' | 'seed' | 'inputs'>;

/** Reads the body of `StartAsyncInvoke`. The digest identifies the request, to compare requests with the same token. */
export function readVideoRequest(body: unknown): MediaParams {
  const { clientRequestToken, modelId, modelInput, outputDataConfig } = checkBody(StartRequest, body, refuseBody);
  const { s3Uri } = outputDataConfig.s3OutputDataConfig;
  if (s3Uri.startsWith('s3://missing')) throw invalidBedrock('Invalid Output Config/Credentials');
  return {
    kind: 'video',
    model: modelId,
    ...sceneOf(modelId, modelInput),
    count: 1,
    path: s3Uri.replace(/\/+$/, ''),
    requestFields: { digest: digestOf(body) },
    ...(clientRequestToken !== undefined && { reference: clientRequestToken }),
  };
}

export function digestOf(body: unknown): string {
  return hexFrom(Buffer.from(JSON.stringify(body)));
}

function sceneOf(model: string, input: Record<string, unknown>): Scene {
  if (/^(?:us\.)?amazon\.nova-reel-v1:[01]$/.test(model)) return readNova(model, input);
  if (model === 'luma.ray-v2:0') return readLuma(input);
  throw invalidBedrock('The provided model identifier is invalid.');
}

function readNova(model: string, input: Record<string, unknown>): Scene {
  const request = checkBody(NovaInput, input, refuseBody);
  const { durationSeconds: seconds, seed } = request.videoGenerationConfig;
  const common = { seconds, seed, width: 1280, height: 720 };
  if (request.taskType === 'MULTI_SHOT_AUTOMATED') {
    if (model.endsWith('v1:0')) throw malformed('#/taskType: MULTI_SHOT_AUTOMATED is not supported by this model');
    return { ...common, prompt: request.multiShotAutomatedParams.text, inputs: [] };
  }
  const { text, images } = request.textToVideoParams;
  return { ...common, prompt: text, inputs: images.map(({ source }) => frame('images', source.bytes, NOVA_IMAGES)) };
}

function readLuma(input: Record<string, unknown>): Scene {
  const { prompt, aspect_ratio: ratio, duration, resolution, keyframes = {} } = checkBody(LumaInput, input, refuseBody);
  const inputs = Object.entries(keyframes).map(([name, one]) => frame(name, one.source.data, LUMA_IMAGES));
  const size = frameOfShortSide(shapeOf(ratio) ?? WIDE, Number.parseInt(resolution, 10));
  return { prompt, seconds: Number.parseInt(duration, 10), ...size, seed: undefined, inputs };
}

function frame(field: string, value: string, rules: ImageRules): JobInput {
  return readFile(field, value, rules).input;
}
