import { z } from 'zod';
import type { VideoInputKind } from './video-models.ts';

const MediaItem = z.strictObject({
  type: z.enum([
    'reference_image',
    'reference_video',
    'reference_audio',
    'first_frame',
    'last_frame',
    'driving_audio',
    'first_clip',
    'file',
    'link',
  ]),
  url: z.string().min(1),
  reference_voice: z.url().optional(),
});

type MediaType = z.output<typeof MediaItem>['type'];

export interface VideoInput {
  prompt?: string | undefined;
  negative_prompt?: string | undefined;
  audio_url?: string | undefined;
  template?: string | undefined;
  img_url?: string | undefined;
  first_frame_url?: string | undefined;
  last_frame_url?: string | undefined;
  reference_urls?: string[] | undefined;
  media?: z.output<typeof MediaItem>[] | undefined;
}

const prompt = z.string().min(1);
// Longer texts are truncated, not rejected (DashScope docs, `prompt` and `negative_prompt`).
const words = { prompt: prompt.optional(), negative_prompt: z.string().optional() };
const sound = { audio_url: z.url().optional() };
const image = z.string().min(1);
const media = z.array(MediaItem).min(1);

function count(items: readonly { type: MediaType }[] | undefined, ...types: MediaType[]): number {
  return items?.filter(({ type }) => types.includes(type)).length ?? 0;
}

function onlyOnce(items: readonly { type: MediaType }[], ...types: MediaType[]): boolean {
  return count(items, ...types) === items.length && types.every((type) => count(items, type) <= 1);
}

/** Starts with a frame or a clip; a last frame goes with either, audio only with a frame. */
function makesScene(items: readonly { type: MediaType }[]): boolean {
  const begins = count(items, 'first_frame', 'first_clip') === 1;
  return begins && (count(items, 'driving_audio') === 0 || count(items, 'first_frame') === 1);
}

const REFERENCES = ['reference_image', 'reference_video'] as const;

/** At most five references and one first frame. */
function makesReference(items: readonly { type: MediaType }[]): boolean {
  const references = count(items, ...REFERENCES);
  const first = count(items, 'first_frame');
  return references <= 5 && first <= 1 && references + first === items.length;
}

/** Frames and references exclude each other (@ai-sdk/alibaba 2.0.58, `media`). */
function isOneWay(items: readonly { type: MediaType }[]): boolean {
  const frames = count(items, 'first_frame', 'last_frame');
  const others = count(items, ...REFERENCES, 'reference_audio', 'file', 'link');
  return (frames === items.length && onlyOnce(items, 'first_frame', 'last_frame')) || others === items.length;
}

const FRAME_MEDIA = ['first_frame', 'last_frame', 'driving_audio', 'first_clip'] as const;

export const VIDEO_INPUTS: Readonly<Record<VideoInputKind, z.ZodType<VideoInput>>> = {
  text: z.strictObject({ ...words, ...sound, prompt }),
  image: z.strictObject({ ...words, ...sound, img_url: image, template: z.string().optional() }),
  frames: z
    .strictObject({
      ...words,
      first_frame_url: image,
      last_frame_url: image.optional(),
      template: z.string().optional(),
    })
    .refine((input) => input.last_frame_url !== undefined || input.template !== undefined, {
      path: ['last_frame_url'],
      error: 'required unless there is a template',
    }),
  references: z
    .strictObject({ ...words, prompt, reference_urls: z.array(z.url()).min(1).max(5) })
    .refine((input) => input.reference_urls.filter((url) => isVideoUrl(url)).length <= 3, {
      path: ['reference_urls'],
      error: 'at most 3 of them may be videos',
    }),
  'frame-media': z
    .strictObject({ ...words, media: media.optional(), img_url: image.optional() })
    // `img_url` belongs to older models; the SDK sends it to this one, too (@ai-sdk/alibaba 2.0.58).
    .refine((input) => (input.media === undefined) !== (input.img_url === undefined), {
      path: ['media'],
      error: 'required',
    })
    .refine(({ media: items = [] }) => items.length === 0 || (onlyOnce(items, ...FRAME_MEDIA) && makesScene(items)), {
      path: ['media'],
      error: 'its items cannot be combined',
    }),
  'reference-media': z.strictObject({ ...words, prompt, media }).refine((input) => makesReference(input.media), {
    path: ['media'],
    error: 'its items cannot be combined, or are too many',
  }),
  'any-media': z
    .strictObject({ ...words, ...sound, media: media.optional() })
    .refine((input) => input.prompt !== undefined || input.media !== undefined, {
      path: ['prompt'],
      error: 'required without media',
    })
    .refine(({ media: items = [] }) => isOneWay(items), { path: ['media'], error: 'its items cannot be combined' }),
};

function isVideoUrl(url: string): boolean {
  return /\.(mp4|mov)([?#]|$)/i.test(url);
}
