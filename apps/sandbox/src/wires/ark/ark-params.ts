import { z } from 'zod';
import { checkBody } from '../../schema/check-body.ts';
import { type Frame, frameOfArea, shapeOf, WIDE } from '../media/frame-of-area.ts';
import { readScene, type Scene, SceneContent, type SceneVendor } from '../media/content-scene.ts';
import type { MediaParams } from '../media/media-params.ts';
import { arkError, explainBody, invalidParameter } from './ark-error.ts';
import { type ArkModel, arkModelOf, resolveModelName } from './ark-models.ts';

/** Source: ModelArk docs, "Create a video generation task", `image_url.url`. */
const VENDOR: SceneVendor = {
  images: {
    encodings: ['data-url'],
    schemes: ['asset://'],
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/gif'],
    maxBytes: 30 * 1024 ** 2,
    minSide: 300,
    maxSide: 6000,
    maxRatio: 2.5,
  },
  refuse: (problem) => invalidParameter('content', problem),
};

const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'] as const;

const Body = z.strictObject({
  model: z.string(),
  content: SceneContent,
  callback_url: z.url().optional(),
  return_last_frame: z.boolean().default(false),
  service_tier: z.enum(['default', 'flex']).default('default'),
  /** An unfinished task becomes `expired` after this many seconds. */
  execution_expires_after: z.int().min(3600).max(259_200).default(172_800),
  safety_identifier: z.string().max(64).optional(),
  resolution: z.enum(['480p', '720p', '1080p', '4k']).default('720p'),
  ratio: z.enum([...RATIOS, 'adaptive']).optional(),
  duration: z.int().default(5),
  /** The number of frames. It overrides `duration`. */
  frames: z
    .int()
    .min(29)
    .max(289)
    .refine((frames) => (frames - 25) % 4 === 0, { error: 'it must be 25 + 4n' })
    .optional(),
  seed: z.int().min(-1).max(4_294_967_295).optional(),
  watermark: z.boolean().default(false),
  camera_fixed: z.boolean().optional(),
  generate_audio: z.boolean().optional(),
  draft: z.boolean().optional(),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
  priority: z.int().min(0).max(9).optional(),
});

type Body = z.output<typeof Body>;

const OWN = ['seed', 'camera_fixed', 'frames', 'generate_audio', 'draft', 'tools', 'priority'] as const;

export const FRAMES_PER_SECOND = 24;

/** Pixels per resolution (ModelArk docs, `resolution`). */
const AREAS: Readonly<Record<Body['resolution'], number>> = {
  '480p': 864 * 480,
  '720p': 1248 * 704,
  '1080p': 1920 * 1088,
  '4k': 3840 * 2160,
};

function checkModel(body: Body, model: ArkModel): void {
  const { resolution, duration } = body;
  const foreign = OWN.find((field) => body[field] !== undefined && !model.own.includes(field));
  if (foreign !== undefined) throw invalidParameter(foreign, 'it is not supported by the model');
  if (!model.resolutions.includes(resolution)) throw invalidParameter('resolution', 'it is not supported by the model');
  const fits = model.seconds.includes(duration) || (duration === -1 && model.picksSeconds);
  if (!fits) throw invalidParameter('duration', `${duration} is not supported by the model`);
}

function frameOf({ ratio, resolution }: Body, { facts, hasImage }: Scene, model: ArkModel): Frame {
  // The oldest models cannot choose a ratio without an image (ModelArk docs, `ratio`).
  if (ratio === 'adaptive' && !hasImage && !model.picksSeconds) {
    throw invalidParameter('ratio', 'adaptive requires an image');
  }
  const shape = shapeOf(ratio ?? '') ?? facts ?? WIDE;
  return frameOfArea(shape, AREAS[resolution]);
}

function ratioOf({ width, height }: Frame): string {
  const wide = width / height;
  const distance = (ratio: string): number => {
    const shape = shapeOf(ratio) ?? { width: 1, height: 1 };
    return Math.abs(Math.log(wide / (shape.width / shape.height)));
  };
  return RATIOS.toSorted((one, other) => distance(one) - distance(other))[0] ?? '16:9';
}

export function arkParams(body: unknown): MediaParams {
  const read = checkBody(Body, body, explainBody);
  const model = arkModelOf(read.model);
  if (model === undefined) {
    const message = `The model or endpoint ${read.model} does not exist or you do not have access to it.`;
    throw arkError(404, 'InvalidEndpointOrModel.NotFound', message);
  }
  checkModel(read, model);
  const scene = readScene(read.content, model, VENDOR);
  const frame = frameOf(read, scene, model);
  const { seed, frames, ratio, model: name } = read;
  const { resolution, service_tier, execution_expires_after, return_last_frame, generate_audio, draft } = read;
  const duration = read.duration === -1 ? 5 : read.duration;
  return {
    kind: 'video',
    model: resolveModelName(name),
    prompt: scene.prompt,
    seconds: frames === undefined ? duration : frames / FRAMES_PER_SECOND,
    ...frame,
    count: 1,
    seed: seed === -1 ? undefined : seed,
    requestFields: {
      // Lists can also filter by the endpoint id that the client submitted.
      name,
      return_last_frame,
      returned: {
        resolution,
        ratio: ratio === undefined || ratio === 'adaptive' ? ratioOf(frame) : ratio,
        ...(frames === undefined && { duration }),
        frames,
        framespersecond: FRAMES_PER_SECOND,
        service_tier,
        execution_expires_after,
        generate_audio,
        draft,
        safety_identifier: read.safety_identifier,
        priority: read.priority,
      },
    },
    inputs: scene.inputs,
  };
}
