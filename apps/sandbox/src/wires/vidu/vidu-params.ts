import { z } from 'zod';
import type { WireError } from '../../http/wire-error.ts';
import { checkBody } from '../../schema/check-body.ts';
import { frameOfShortSide, shapeOf, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { type ImageInput, type ImageRules, requireImage } from '../media/read-image.ts';
import {
  explainBody,
  fieldInvalid,
  fieldMissing,
  fieldUnwanted,
  itemCountOutOfRange,
  viduError,
} from './vidu-error.ts';
import { type ViduCall, type ViduModel, viduModelOf } from './vidu-models.ts';

const ImageList = z.array(z.string().min(1));

const Body = z.strictObject({
  model: z.string(),
  prompt: z.string().max(5000).default(''),
  images: ImageList.optional(),
  /** An alternative to `images`: images grouped by subject. */
  subjects: z.array(z.strictObject({ id: z.string(), images: ImageList, voice_id: z.string().optional() })).optional(),
  style: z.enum(['general', 'anime']).optional(),
  duration: z.int().optional(),
  /** The seed; 0 means that there is none. */
  seed: z.int().min(0).max(2_147_483_647).default(0),
  resolution: z.string().optional(),
  aspect_ratio: z.string().optional(),
  movement_amplitude: z.enum(['auto', 'small', 'medium', 'large']).default('auto'),
  bgm: z.boolean().default(false),
  audio: z.boolean().optional(),
  audio_type: z.enum(['all', 'speech_only', 'sound_effect_only']).optional(),
  voice_id: z.string().optional(),
  is_rec: z.boolean().optional(),
  /** Text that polls return with the task. */
  payload: z.string().max(1_048_576).default(''),
  off_peak: z.boolean().default(false),
  watermark: z.boolean().default(false),
  wm_position: z.int().min(1).max(4).optional(),
  wm_url: z.url().optional(),
  meta_data: z.string().optional(),
  callback_url: z.url().optional(),
});

type Body = z.output<typeof Body>;

/** Fields that are accepted by only some of the calls. */
const OWN = {
  images: ['img2video', 'start-end2video', 'reference2video'],
  subjects: ['reference2video'],
  style: ['text2video'],
  aspect_ratio: ['text2video', 'reference2video'],
  is_rec: ['img2video', 'start-end2video'],
} as const satisfies Partial<Record<keyof Body, readonly ViduCall[]>>;

const NEEDS_PROMPT: ReadonlySet<ViduCall> = new Set(['text2video', 'reference2video']);

/** Vidu docs, `images`: a ratio up to 4:1, and up to 50 MB. A request body with inline images is limited to 20 MB. */
const IMAGE_RULES: ImageRules = {
  encodings: ['data-url'],
  types: ['image/png', 'image/jpeg', 'image/webp'],
  maxBytes: 20 * 1024 ** 2,
  minSide: 1,
  maxRatio: 4,
};
/** Vidu docs, "Reference to Video": at least 128 × 128 pixels. */
const REFERENCES: ImageRules = { ...IMAGE_RULES, minSide: 128 };

function checkFields(body: Body, call: ViduCall, model: ViduModel): void {
  for (const [field, calls] of Object.entries<readonly ViduCall[]>(OWN)) {
    if (Object.hasOwn(body, field) && !calls.includes(call)) throw fieldUnwanted(field);
  }
  if (body.audio !== undefined && !model.audio) throw fieldUnwanted('audio');
  if (body.prompt === '' && NEEDS_PROMPT.has(call)) throw fieldMissing('prompt');
}

function imagesOf(body: Body, call: ViduCall, model: ViduModel): string[] {
  const { images, subjects } = body;
  if (call === 'text2video') return [];
  if (images === undefined && subjects === undefined) throw fieldMissing('images');
  if (images !== undefined && subjects !== undefined) throw fieldUnwanted('subjects');
  if (subjects?.some((subject) => subject.images.length < 1 || subject.images.length > 3) === true) {
    throw itemCountOutOfRange('subjects.images');
  }
  const all = images ?? subjects?.flatMap((subject) => subject.images) ?? [];
  const [min, max] = { img2video: [1, 1], 'start-end2video': [2, 2], reference2video: [1, model.references] }[call];
  if (all.length < (min ?? 0) || all.length > (max ?? 0)) throw itemCountOutOfRange('images');
  return all;
}

function imageError(problem: string): WireError {
  const isOfSize = problem.includes('pixels') || problem.includes('larger');
  return isOfSize
    ? viduError(400, 'PageSizeOutOfRange', `page size out of range: the image ${problem}`)
    : viduError(400, 'ImageFormatInvalid', `invalid image format: the image ${problem}`);
}

function readImages(values: readonly string[], call: ViduCall): ImageInput[] {
  const rules = call === 'reference2video' ? REFERENCES : IMAGE_RULES;
  const imageInputs = values.map((value) => requireImage('images', value, rules, imageError));
  const [start, end] = imageInputs.map(({ facts }) => (facts === undefined ? undefined : facts.width / facts.height));
  // Vidu docs, "Start End to Video": the two images must have similar ratios. One ratio divided by the other must be
  // from 0.8 to 1.25.
  const areSimilar = start === undefined || end === undefined || (start / end >= 0.8 && start / end <= 1.25);
  if (call === 'start-end2video' && !areSimilar) throw imageError('has other pixels than the start frame');
  return imageInputs;
}

function videoOf(
  { duration, resolution }: Body,
  { resolutionsBySeconds }: ViduModel,
): { duration: number; resolution: string } {
  const [defaultSeconds = 5] = resolutionsBySeconds.keys();
  const seconds = duration ?? defaultSeconds;
  const resolutions = resolutionsBySeconds.get(seconds);
  if (resolutions === undefined) throw fieldInvalid('duration');
  const chosen = resolution ?? resolutions[0] ?? '';
  if (!resolutions.includes(chosen)) throw fieldInvalid('resolution');
  return { duration: seconds, resolution: chosen };
}

export function viduParams(call: ViduCall, body: unknown): MediaParams {
  const read = checkBody(Body, body, explainBody);
  const model = viduModelOf(read.model, call);
  if (model === undefined) throw fieldInvalid('model');
  checkFields(read, call, model);
  const imageInputs = readImages(imagesOf(read, call, model), call);
  const { duration, resolution } = videoOf(read, model);
  const { prompt, aspect_ratio: ratio = '16:9', seed, payload, off_peak, watermark, bgm } = read;
  if (!model.aspectRatios.includes(ratio)) throw fieldInvalid('aspect_ratio');
  const framed = call === 'img2video' || call === 'start-end2video' ? imageInputs[0]?.facts : undefined;
  const inputs = imageInputs.map(({ input }) => input);
  return {
    kind: 'video',
    model: read.model,
    prompt,
    seconds: duration,
    ...frameOfShortSide(framed ?? shapeOf(ratio) ?? WIDE, Number.parseInt(resolution, 10)),
    count: 1,
    seed: seed === 0 ? undefined : seed,
    reference: payload,
    requestFields: {
      images: inputs.map(({ reference = '' }) => reference),
      duration,
      resolution,
      // If there are frames, they set the ratio.
      aspect_ratio: call === 'text2video' || call === 'reference2video' ? ratio : '',
      movement_amplitude: read.movement_amplitude,
      bgm,
      off_peak,
      watermark,
    },
    inputs,
  };
}
