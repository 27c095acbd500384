import { z } from 'zod';
import type { ImageFacts } from '../../media/image/measure-image.ts';
import type { JobInput } from '../../jobs/media-job.ts';
import { checkBody } from '../../schema/check-body.ts';
import type { MediaParams } from '../media/media-params.ts';
import { type ImageRules, requireImage } from '../media/read-image.ts';
import { invalidBedrock, malformed, refuseBody } from './bedrock-error.ts';

/** Source: Amazon Nova user guide, "Image generation and editing", and Bedrock user guide, "Titan Image Generator". */
interface Family {
  body: ReturnType<typeof bodyOf>;
  images: ImageRules;
  sizeProblem(this: void, width: number, height: number): string | undefined;
}

const MAX_SEED = 2_147_483_646;
const Config = {
  numberOfImages: z.int().min(1).max(5).default(1),
  quality: z.enum(['standard', 'premium']).optional(),
  cfgScale: z.number().min(1.1).max(10).optional(),
  seed: z.int().min(0).max(MAX_SEED).optional(),
};
const Size = { width: z.int().default(1024), height: z.int().default(1024) };
const File = z.string().min(1);

function bodyOf(maxText: number) {
  const text = z.string().min(1).max(maxText);
  const texts = { text: text.optional(), negativeText: text.optional() };
  return z.discriminatedUnion('taskType', [
    z.strictObject({
      taskType: z.literal('TEXT_IMAGE'),
      textToImageParams: z.strictObject({ ...texts, text, style: z.string().optional() }),
      imageGenerationConfig: z.strictObject({ ...Config, ...Size }).prefault({}),
    }),
    z.strictObject({
      taskType: z.literal('IMAGE_VARIATION'),
      imageVariationParams: z.strictObject({
        ...texts,
        images: z.array(File).min(1).max(5),
        similarityStrength: z.number().min(0.2).max(1).optional(),
      }),
      imageGenerationConfig: z.strictObject({ ...Config, ...Size }).prefault({}),
    }),
    z.strictObject({
      taskType: z.literal('INPAINTING'),
      inPaintingParams: z.strictObject({
        ...texts,
        image: File,
        maskImage: File.optional(),
        maskPrompt: text.optional(),
      }),
      imageGenerationConfig: z.strictObject(Config).prefault({}),
    }),
  ]);
}

const RULES = { encodings: ['base64'], types: ['image/png', 'image/jpeg'], maxBytes: 18 * 1024 ** 2 } as const;

function novaProblem(width: number, height: number): string | undefined {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < 320 || long > 4096) return 'each side must be from 320 to 4096';
  if (width % 16 !== 0 || height % 16 !== 0) return 'each side must be divisible by 16';
  if (long > 4 * short) return 'the aspect ratio must be from 1:4 to 4:1';
  return width * height > 4_194_304 ? 'the image must not have more than 4194304 pixels' : undefined;
}

/** Widths with their heights. */
const TITAN_SIZES: Readonly<Record<number, readonly number[]>> = {
  1024: [1024],
  768: [768, 1152, 1280, 1408],
  512: [512],
  384: [576, 640, 704],
  1152: [768, 896, 640],
  576: [384, 448],
  1280: [768],
  640: [384, 1408],
  896: [1152],
  448: [576],
  1408: [768, 640],
  704: [384, 320],
  320: [704],
  1173: [640],
};

const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [
    /^(?:us\.)?amazon\.nova-canvas-v1:0$/,
    {
      body: bodyOf(1024),
      images: { ...RULES, minSide: 320, maxSide: 4096, maxRatio: 4 },
      sizeProblem: novaProblem,
    },
  ],
  [
    /^amazon\.titan-image-generator-v/,
    {
      body: bodyOf(512),
      images: { ...RULES, minSide: 256, maxSide: 1408, maxRatio: 5 },
      sizeProblem: (width, height) =>
        TITAN_SIZES[width]?.includes(height) ? undefined : `${width}x${height} is not a supported size`,
    },
  ],
];

/** Reads the body of `InvokeModel` for an image model. @throws WireError 400 */
export function readImageRequest(body: unknown, model: string): MediaParams {
  const family = FAMILIES.find(([name]) => name.test(model))?.[1];
  if (!family) throw invalidBedrock('The provided model identifier is invalid.');
  const request = checkBody(family.body, body, refuseBody);
  const { numberOfImages: count, seed } = request.imageGenerationConfig;
  const common = { kind: 'image' as const, model, seconds: 0, count, seed };
  const read = (field: string, value: string) => readFile(field, value, family.images);
  if (request.taskType === 'INPAINTING') {
    const { text = '', image, maskImage, maskPrompt } = request.inPaintingParams;
    if ((maskImage === undefined) === (maskPrompt === undefined)) {
      throw malformed('#/inPaintingParams: exactly one of maskImage and maskPrompt is required');
    }
    const original = read('image', image);
    const mask = maskImage === undefined ? undefined : read('maskImage', maskImage);
    const { width, height } = original.facts;
    if (mask && (mask.facts.width !== width || mask.facts.height !== height)) {
      throw malformed('#/inPaintingParams/maskImage: must have the size of the image');
    }
    const inputs = [original.input, ...(mask ? [mask.input] : [])];
    return { ...common, prompt: text, width, height, inputs };
  }
  const { width, height } = request.imageGenerationConfig;
  const problem = family.sizeProblem(width, height);
  if (problem !== undefined) throw malformed(`#/imageGenerationConfig: ${problem}`);
  if (request.taskType === 'TEXT_IMAGE') {
    return { ...common, prompt: request.textToImageParams.text, width, height, inputs: [] };
  }
  const { text = '', images } = request.imageVariationParams;
  return { ...common, prompt: text, width, height, inputs: images.map((value) => read('images', value).input) };
}

/** Bedrock accepts only base64. */
export function readFile(field: string, value: string, rules: ImageRules): { input: JobInput; facts: ImageFacts } {
  const { input, facts } = requireImage(field, value, rules, (problem) =>
    malformed(`#/${field}: the image ${problem}`),
  );
  if (!facts) throw malformed(`#/${field}: the image is not base64`);
  return { input, facts };
}
