/** Source: @runwayml/sdk 4.20.1, `TextToVideoCreateParams` and `ImageToVideoCreateParams`. */
import { runwayVideo, type RunwayVideo } from '@sluice/vendors';
import { z } from 'zod';
import { resolutionsOf } from '../media/catalog-model.ts';
import {
  audio,
  contentModeration,
  others,
  promptImage,
  promptText,
  Reference,
  seconds,
  seed,
} from './runway-fields.ts';

/** Rules that are not in the catalog. */
interface Own {
  /** Range of durations, for models that do not list them. */
  seconds?: [min: number, max: number];
  /** Whether the duration may be `auto`. */
  picksSeconds?: true;
  needsSeconds?: true;
  ratios?: string[];
  resolutions?: string[];
  references?: number;
  /** Types of reference clips that the model accepts in text-to-video and in image-to-video requests. */
  clips?: { text: ('audio' | 'video')[]; image: ('audio' | 'video')[] };
  optionalPrompt?: true;
  fields?: z.ZodRawShape;
}

const AUTO_RATIOS = ['auto_480p', 'auto_720p', 'auto_1080p'];
// The sandbox renders only MP4.
const gen45 = { contentModeration, outputFormat: z.enum(['mp4']).optional() };
const seedance: Own = {
  seconds: [4, 15],
  picksSeconds: true,
  clips: { text: ['audio', 'video'], image: ['audio'] },
};
// These ratios take the size from an image, but are also accepted without an image.
const wan: Own = {
  seconds: [2, 15],
  ratios: AUTO_RATIOS,
  clips: { text: ['audio', 'video'], image: ['audio', 'video'] },
};
const promptExpansionMode = z.enum(['disabled', 'balanced', 'quality']).optional();

const MODELS: Readonly<Record<string, Own>> = {
  'gen4.5': { needsSeconds: true, fields: gen45 },
  gen4_turbo: { fields: { contentModeration } },
  'veo3.1': {},
  'veo3.1_fast': {},
  hailuo3: {
    seconds: [4, 15],
    ratios: ['adaptive'],
    resolutions: ['768P', '2K'],
    clips: { text: ['audio', 'video'], image: ['audio'] },
  },
  happyhorse_1_0: { resolutions: ['720P', '1080P'] },
  seedance2: seedance,
  seedance2_fast: seedance,
  seedance2_mini: seedance,
  seedance2_5: { ...seedance, optionalPrompt: true },
  gemini_omni_flash: {},
  'gemini_omni_flash_1.1': { picksSeconds: true, references: 14, clips: { text: ['video'], image: [] } },
  grok_imagine_1_5: { seconds: [1, 15], references: 7, clips: { text: ['audio'], image: [] } },
  wan3: wan,
  wan3_prime: wan,
  h3_max: { seconds: [4, 15], fields: { promptExpansionMode } },
};
/** Used if the docs do not specify a limit. */
const ANY_LENGTH = 10_000;

function durationOf({ seconds: choices }: RunwayVideo, own: Own): z.ZodType {
  const listed = typeof choices === 'object' ? choices : [];
  const [min, max] = own.seconds ?? [Math.min(...listed), Math.max(...listed)];
  const isRange = own.seconds !== undefined || listed.length === max - min + 1;
  const duration = isRange ? seconds(min, max) : z.literal(listed);
  const choice = own.picksSeconds ? z.union([duration, z.literal('auto')]) : duration;
  return own.needsSeconds ? choice : choice.optional();
}

/** Returns `ratio` and `resolution`, each only if the model has values for it. */
function frameFields(model: RunwayVideo, own: Own): z.ZodRawShape {
  const listed = model.frames ?? model.aspectRatios ?? [];
  const ratio = z.enum([...listed, ...(own.ratios ?? [])]);
  const resolutions = resolutionsOf(model);
  return {
    ...(listed.length > 0 && { ratio: model.needsFrame ? ratio : ratio.optional() }),
    ...(resolutions.length > 0 && { resolution: z.enum([...resolutions, ...(own.resolutions ?? [])]).optional() }),
  };
}

function fieldsOf(name: string, own: Own, start: 'text' | 'image'): z.ZodRawShape {
  const model = runwayVideo(name);
  if (model === undefined) throw new Error(`The catalog has no model ${name}.`);
  const { maxPrompt = ANY_LENGTH, optionalPrompt, images, optionalFields } = model;
  const framed = { ...model, ...model.when?.first_frame };
  const isOptional = own.optionalPrompt ?? (start === 'image' && optionalPrompt !== undefined);
  const max = own.references ?? images.reference;
  const clips = own.clips?.[start] ?? [];
  const allowedImages =
    images.last_frame === undefined ? 'first' : Number.isFinite(images.reference) ? 'any' : 'frames';
  return {
    ...own.fields,
    // For wan3, the sizes are the same with and without an image.
    ...frameFields(start === 'image' && !framed.autoRatio ? framed : model, own),
    duration: durationOf(model, own),
    promptText: isOptional ? promptText(maxPrompt).optional() : promptText(maxPrompt),
    ...(start === 'image' && { promptImage: promptImage(allowedImages) }),
    ...(start === 'text' && max !== undefined && { references: z.array(Reference).max(max).optional() }),
    ...(clips.includes('audio') && { referenceAudio: others('audio') }),
    ...(clips.includes('video') && { referenceVideos: others('video') }),
    ...(optionalFields.includes('audio') && { audio }),
    ...(optionalFields.includes('negativePrompt') && { negativePrompt: z.string().optional() }),
    ...(optionalFields.includes('seed') && { seed }),
  };
}

function videoModels(start: 'text' | 'image'): z.ZodType {
  const names = Object.entries(MODELS).filter(([name]) => start === 'image' || runwayVideo(name)?.needs === undefined);
  const [first, ...more] = names.map(([name, own]) =>
    z.strictObject({ model: z.literal(name), ...fieldsOf(name, own, start) }),
  );
  if (first === undefined) throw new Error('There must be a model.');
  return z.discriminatedUnion('model', [first, ...more]);
}

export const TextToVideo = videoModels('text');
export const ImageToVideo = videoModels('image');
