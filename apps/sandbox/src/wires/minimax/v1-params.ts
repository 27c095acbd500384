import { findModel, MINIMAX_VIDEOS_V1 } from '@sluice/vendors';
import { z } from 'zod';
import { resolutionsOf, secondsOf } from '../media/catalog-model.ts';
import { checkBody } from '../../schema/check-body.ts';
import { frameOfShortSide, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { type ImageInput, type ImageRules, requireImage } from '../media/read-image.ts';
import { explainV1, invalidParams } from './v1-error.ts';
import { tagged } from '../../schema/tagged.ts';

type Resolution = '512P' | '720P' | '768P' | '1080P';

/** Source: MiniMax docs, "Text to Video" and related pages. */
interface V1Model {
  secondsByResolution: Readonly<Partial<Record<Resolution, readonly number[]>>>;
  first: 'never' | 'maybe' | 'always';
  last: boolean;
  /** Whether the model requires a subject reference and accepts no other image. */
  subject: boolean;
  fast: boolean;
}

const NAMES = /^(?:MiniMax-Hailuo-(?:2\.3(?:-Fast)?|02)|T2V-01(?:-Director)?|I2V-01(?:-Director|-live)?|S2V-01)$/;

function modelOf(name: string): V1Model | undefined {
  const catalogModel = NAMES.test(name) ? findModel(MINIMAX_VIDEOS_V1, name) : undefined;
  if (catalogModel === undefined) return undefined;
  const { images, needs = [], when } = catalogModel;
  // Uses the limits for requests with a first frame, which allow the most. 512P has additional rules below.
  const widest = { ...catalogModel, ...when?.first_frame };
  const secondsByResolution = resolutionsOf(widest).map((resolution) => [
    resolution,
    secondsOf(widest).filter((seconds) => resolutionsOf(widest, seconds).includes(resolution)),
  ]);
  return {
    secondsByResolution: Object.fromEntries(secondsByResolution),
    first: needs.includes('first_frame') ? 'always' : images.first_frame === undefined ? 'never' : 'maybe',
    last: images.last_frame !== undefined,
    subject: needs.includes('reference'),
    // This field is not in the catalog (MiniMax docs, `fast_pretreatment`).
    fast: name.startsWith('MiniMax-Hailuo'),
  };
}

const Body = z.strictObject({
  model: z.string(),
  prompt: z.string().max(2000).optional(),
  prompt_optimizer: z.boolean().optional(),
  fast_pretreatment: z.boolean().optional(),
  duration: z.int().default(6),
  resolution: z.enum(['512P', '720P', '768P', '1080P']).optional(),
  first_frame_image: z.string().optional(),
  last_frame_image: z.string().optional(),
  subject_reference: z
    .array(tagged('character', { image: z.array(z.string()).length(1) }))
    .length(1)
    .optional(),
  callback_url: z.url().optional(),
  aigc_watermark: z.boolean().optional(),
});

type Body = z.output<typeof Body>;

/** MiniMax docs, `first_frame_image`: shorter side above 300 pixels, a ratio from 2:5 to 5:2, and below 20 MB. */
const IMAGE_RULES: ImageRules = {
  encodings: ['data-url'],
  types: ['image/png', 'image/jpeg', 'image/webp'],
  maxBytes: 20 * 1024 ** 2,
  minSide: 301,
  maxRatio: 2.5,
};

function imageOf(field: string, value: string): ImageInput {
  return requireImage(field, value, IMAGE_RULES, (problem) => invalidParams(`${field} ${problem}`));
}

function problemOf(body: Body, model: V1Model): string | undefined {
  const { first_frame_image: first, last_frame_image: last, subject_reference: subject, prompt = '' } = body;
  if (subject !== undefined && !model.subject) return 'subject_reference is not supported by this model';
  if (subject === undefined && model.subject) return 'subject_reference is required';
  if (first !== undefined && model.first === 'never') return 'first_frame_image is not supported by this model';
  if (first === undefined && model.first === 'always') return 'first_frame_image is required';
  if (last !== undefined && !model.last) return 'last_frame_image is not supported by this model';
  if (last !== undefined && body.resolution === '512P') return 'last_frame_image is not supported at 512P';
  if (first === undefined && body.resolution === '512P') return '512P is supported with first_frame_image alone';
  if (body.fast_pretreatment !== undefined && !model.fast) return 'fast_pretreatment is not supported by this model';
  const hasImage = [first, last, subject].some((image) => image !== undefined);
  return prompt === '' && !hasImage ? 'prompt is required' : undefined;
}

export function v1Params(body: unknown): MediaParams {
  const read = checkBody(Body, body, explainV1);
  const model = modelOf(read.model);
  if (model === undefined) throw invalidParams(`unsupported model: ${read.model}`);
  const problem = problemOf(read, model);
  if (problem !== undefined) throw invalidParams(problem);
  const defaultResolution = model.secondsByResolution['768P'] === undefined ? '720P' : '768P';
  const { resolution = defaultResolution, duration, first_frame_image, last_frame_image, subject_reference } = read;
  const seconds = model.secondsByResolution[resolution];
  if (seconds === undefined) throw invalidParams(`resolution ${resolution} is not supported by this model`);
  if (!seconds.includes(duration)) throw invalidParams(`duration ${duration} is not supported at ${resolution}`);
  const images = Object.entries({ first_frame_image, last_frame_image }).flatMap(([field, value]) =>
    value === undefined ? [] : [imageOf(field, value)],
  );
  const subjects = subject_reference?.[0]?.image.map((value) => imageOf('subject_reference', value)) ?? [];
  const shape = images[0]?.facts ?? WIDE;
  return {
    kind: 'video',
    model: read.model,
    prompt: read.prompt ?? '',
    seconds: duration,
    ...frameOfShortSide(shape, Number.parseInt(resolution, 10)),
    count: 1,
    path: 'v1',
    inputs: [...images, ...subjects].map(({ input }) => input),
  };
}
