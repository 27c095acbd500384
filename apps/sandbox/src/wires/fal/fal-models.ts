import { z } from 'zod';
import { type Frame, frameOfShortSide, shapeOf, WIDE } from '../media/frame-of-area.ts';

/** Fields that affect the output. Models ignore unknown fields, as Pydantic does. */
interface FalInput {
  prompt: string;
  seed?: number | null | undefined;
  aspect_ratio?: string | undefined;
  duration?: string | undefined;
  resolution?: string | undefined;
  image_url?: string | undefined;
  image_size?: string | Frame | undefined;
  num_images?: number | undefined;
  sync_mode?: boolean | undefined;
}

interface ImageLimits {
  maxBytes: number;
  minSide: number;
  maxRatio: number;
}

export interface FalModel {
  name: string;
  kind: 'video' | 'image';
  input: z.ZodType<FalInput>;
  defaultDuration?: string;
  image?: ImageLimits;
  frame(input: FalInput, image: Frame | undefined): Frame;
}

const Seed = z.int().nullish();
const NegativePrompt = z.string().nullish();

/** Source: `veo3Input` (@fal-ai/client 1.10.1). */
const veo3 = z.object({
  prompt: z.string().min(1),
  aspect_ratio: z.enum(['16:9', '9:16']).optional(),
  duration: z.enum(['4s', '6s', '8s']).optional(),
  resolution: z.enum(['720p', '1080p']).optional(),
  negative_prompt: NegativePrompt,
  generate_audio: z.boolean().optional(),
  auto_fix: z.boolean().optional(),
  safety_tolerance: z.enum(['1', '2', '3', '4', '5', '6']).optional(),
  seed: Seed,
});

/** Source: `KlingVideoV2MasterImageToVideoInput` (@fal-ai/client 1.10.1). The prompt limit is from Kling's docs. */
const kling = z.object({
  prompt: z.string().min(1).max(2500),
  image_url: z.string(),
  duration: z.enum(['5', '10']).optional(),
  negative_prompt: NegativePrompt,
  cfg_scale: z.number().min(0).max(1).optional(),
});

/** Source: `FluxDevInput`, `image_size` (@fal-ai/client 1.10.1). */
const FLUX_SIZES: Readonly<Record<string, Frame>> = {
  square_hd: { width: 1024, height: 1024 },
  square: { width: 512, height: 512 },
  portrait_4_3: { width: 768, height: 1024 },
  portrait_16_9: { width: 576, height: 1024 },
  landscape_4_3: { width: 1024, height: 768 },
  landscape_16_9: { width: 1024, height: 576 },
};
const DEFAULT_SIZE: Frame = { width: 1024, height: 768 };
/** Lower than fal's limit, to keep rendering fast. */
const Side = z.int().min(1).max(4096);

/** Source: `FluxDevInput` (@fal-ai/client 1.10.1), with the limits of the AI SDK (@ai-sdk/fal 3.0.41). */
const flux = z.object({
  prompt: z.string().min(1),
  image_size: z.union([z.enum(Object.keys(FLUX_SIZES)), z.object({ width: Side, height: Side })]).optional(),
  num_images: z.int().min(1).max(4).optional(),
  num_inference_steps: z.int().min(1).max(50).optional(),
  guidance_scale: z.number().min(1).max(20).optional(),
  output_format: z.enum(['jpeg', 'png']).optional(),
  acceleration: z.enum(['none', 'regular', 'high']).optional(),
  enable_safety_checker: z.boolean().optional(),
  sync_mode: z.boolean().optional(),
  seed: Seed,
});

const MODELS: readonly FalModel[] = [
  {
    name: 'fal-ai/veo3',
    kind: 'video',
    input: veo3,
    defaultDuration: '8s',
    frame: ({ aspect_ratio: ratio = '', resolution = '720p' }) =>
      frameOfShortSide(shapeOf(ratio) ?? WIDE, Number.parseInt(resolution, 10)),
  },
  {
    name: 'fal-ai/kling-video/v2.1/master/image-to-video',
    kind: 'video',
    input: kling,
    defaultDuration: '5',
    // Source: Kling docs, "Image to Video", `image`.
    image: { maxBytes: 10 * 1024 ** 2, minSide: 300, maxRatio: 2.5 },
    frame: (_input, image = WIDE) => frameOfShortSide(image, 1080),
  },
  {
    name: 'fal-ai/flux/dev',
    kind: 'image',
    input: flux,
    frame: ({ image_size: size = '' }) => (typeof size === 'string' ? (FLUX_SIZES[size] ?? DEFAULT_SIZE) : size),
  },
];

export function appOf(name: string): string {
  return name.split('/', 2).join('/');
}

export function modelNamed(name: string): FalModel | undefined {
  return MODELS.find((model) => model.name === name);
}

export function isApp(app: string): boolean {
  return MODELS.some(({ name }) => appOf(name) === app);
}
